/** Puts open tickets under a policy and a calendar as they are today: a change of either touches none of them by itself. */
import { find, sql } from '@suite/chassis';
import { readPolicies, readTerms } from '../clocks/terms.ts';
import { chooseAnew, type TimedTicket } from '../clocks/ticket-clocks.ts';
import type { Db } from '../operations.ts';
import { policyFor } from '../sla/policy.rules.ts';
import { OPEN_STATES } from '../tickets/ticket.rules.ts';

const BATCH = 500;

/** The next open tickets by their ids, locked in that order. */
const lockNext = (db: Db, after: string): Promise<TimedTicket[]> =>
  db.rows<TimedTicket>(sql`
    SELECT id, status, terms_id, priority, category_id, type, customer_id, tags, channel, last_agent_reply_at FROM tickets
    WHERE status = ANY(${[...OPEN_STATES]}::text[]) AND deleted_at IS NULL AND id > ${after}::uuid
    ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`);

/**
 * Applies a policy to the open tickets that are under it, and to those that it holds for now. Each keeps its beginning and
 * the time that it has used. @returns how many there were
 */
export async function applyPolicy(db: Db, id: string): Promise<{ tickets: number }> {
  await find(db.slaPolicy, id);
  const policies = await readPolicies(db);
  let tickets = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const batch = await lockNext(db, after);
    const terms = await readTerms(db, sql`SELECT unnest(${batch.map(({ terms_id }) => terms_id)}::uuid[])`);
    const concerned = batch.filter(
      (ticket) => terms.get(ticket.terms_id ?? '')?.policy_id === id || policyFor(policies, ticket)?.policy_id === id,
    );
    await chooseAnew(db, concerned, policies);
    tickets += concerned.length;
    if (batch.length < BATCH) return { tickets };
    after = batch.at(-1)!.id;
  }
}
