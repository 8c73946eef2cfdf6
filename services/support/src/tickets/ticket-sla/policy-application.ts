/** Applies the current version of a policy and its calendar to open tickets. */
import { find, sql } from '@suite/chassis/database';
import { readPolicies, readPolicyVersions } from '../../sla/timers/sla-policy-version.ts';
import { reapplyPolicies, type TimedTicket } from '../../sla/timers/ticket-timers.ts';
import type { Db } from '../../operations.ts';
import { assertTargetsReachable } from '../../sla/calendars/reachable-targets.ts';
import { policyFor } from '../../sla/sla/policy.rules.ts';
import { OPEN_STATES } from '../ticket-states/ticket.rules.ts';

/** Chosen: the calculations of a batch take a few milliseconds. Other requests proceed while its rows are written. */
const BATCH = 100;

/** Locks and returns the next open tickets, in order of their IDs. */
const lockNext = (db: Db, after: string): Promise<TimedTicket[]> =>
  db.rows<TimedTicket>(sql`
    SELECT id, status, terms_id, priority, category_id, type, customer_id, tags, channel, last_agent_reply_at FROM tickets
    WHERE status = ANY(${[...OPEN_STATES]}::text[]) AND deleted_at IS NULL AND id > ${after}::uuid
    ORDER BY id LIMIT ${BATCH} FOR NO KEY UPDATE`);

/**
 * Applies a policy to its open tickets, and to open tickets that now meet its conditions. Their SLA timers keep their
 * start and used time.
 * @returns the number of tickets
 * @throws TargetOutOfReach
 */
export async function applyPolicy(db: Db, id: string): Promise<{ tickets: number }> {
  await find(db.slaPolicy, id);
  await assertTargetsReachable(db, sql`policy.id = ${id}::uuid`);
  const policies = await readPolicies(db);
  let tickets = 0;
  for (let after = '00000000-0000-0000-0000-000000000000'; ; ) {
    const batch = await lockNext(db, after);
    const terms = await readPolicyVersions(db, sql`SELECT unnest(${batch.map(({ terms_id }) => terms_id)}::uuid[])`);
    const affected = batch.filter(
      (ticket) => terms.get(ticket.terms_id ?? '')?.policy_id === id || policyFor(policies, ticket)?.policy_id === id,
    );
    await reapplyPolicies(db, affected, policies);
    tickets += affected.length;
    if (batch.length < BATCH) return { tickets };
    after = batch.at(-1)!.id;
  }
}
