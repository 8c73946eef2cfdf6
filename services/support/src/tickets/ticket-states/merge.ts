/** Merges two tickets: the source is shown in the target's thread, and accepts no further replies. */
import { assertVersion, sql } from '@suite/chassis/database';
import { InvalidTransition } from '@suite/chassis/faults';
import { orderedId } from '@suite/chassis/runtime';
import { TicketMerged } from '@suite/proto/support/v1/events';
import { recordActivities } from '../../settings/activities/activity.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { changeTicket, lockTicket, type TicketRow } from './ticket-change.ts';
import { assertAgentSide } from './ticket-side.rules.ts';
import { MergeCircle, OPEN_STATES, OtherRequester } from './ticket.rules.ts';

const TARGETS: readonly string[] = [...OPEN_STATES, 'resolved'];

/** Locks both tickets in the order of their IDs. Uses the target of a target that was merged itself. */
async function lockBoth(
  context: CommandContext,
  source_id: string,
  target_id: string,
): Promise<{ source: TicketRow; target: TicketRow }> {
  if (source_id === target_id) throw MergeCircle();
  const rows = new Map<string, TicketRow>();
  for (const id of [source_id, target_id].toSorted()) rows.set(id, await lockTicket(context, id));
  const [source, target] = [rows.get(source_id)!, rows.get(target_id)!];
  if (target.status !== 'merged') return { source, target };
  if (target.merged_into === source_id) throw MergeCircle();
  return { source, target: await lockTicket(context, target.merged_into!) };
}

const isSameValue = (one: string | null, other: string | null): boolean => one !== null && one === other;

/**
 * Checks that both tickets have the same requester. @throws OtherRequester if the target's requester would see another
 * customer's messages
 */
function assertSameRequester(source: TicketRow, target: TicketRow): void {
  const hasSameRequester =
    isSameValue(source.requester_user_id, target.requester_user_id) ||
    isSameValue(source.requester_email, target.requester_email) ||
    isSameValue(source.customer_id, target.customer_id);
  if (!hasSameRequester) throw OtherRequester();
}

/** Redirects links to the source to the target. The target inherits the source's link, unless it has one. */
async function moveLinks(db: Db, source: TicketRow, target: TicketRow): Promise<void> {
  await db.rows(sql`
    UPDATE tickets SET linked_to = nullif(CASE
      WHEN id <> ${target.id}::uuid THEN ${target.id}::uuid
      ELSE coalesce(nullif(linked_to, ${source.id}::uuid), ${source.linked_to}::uuid) END, id)
    WHERE linked_to = ${source.id}::uuid OR (id = ${target.id}::uuid AND linked_to IS NULL AND ${source.linked_to}::uuid IS NOT NULL)`);
}

/**
 * Adds the first message of the source to the thread, with its author, time and files. The source itself shows it as
 * its description.
 */
async function addOpening(db: Db, source: TicketRow, target: TicketRow): Promise<void> {
  const id = orderedId();
  await db.rows(sql`
    INSERT INTO replies (id, ticket_id, thread_id, author_kind, author_id, author_name, author_email, body, body_truncated, html,
      authenticated, attachments_refused, opening_subject, at)
    SELECT ${id}::uuid, id, ${target.id}::uuid, 'customer', requester_user_id, requester_name, requester_email,
      coalesce(nullif(description, ''), subject), description_truncated, description_html, authenticated, attachments_refused,
      subject, created_at
    FROM tickets WHERE id = ${source.id}::uuid`);
  await db.rows(sql`UPDATE files SET reply_id = ${id}::uuid WHERE ticket_id = ${source.id}::uuid AND reply_id IS NULL`);
}

/** Moves the source's thread to the target. Entries keep their authors and times. */
async function moveThread(db: Db, source: TicketRow, target: TicketRow): Promise<void> {
  const move = sql`SET thread_id = ${target.id}::uuid WHERE thread_id = ${source.id}::uuid`;
  await db.rows(sql`UPDATE replies ${move}`);
  await db.rows(sql`UPDATE files ${move}`);
  await db.rows(sql`UPDATE ticket_notes ${move}`);
  // Redirects tickets merged into the source to the target, so that no chain exceeds one step.
  await db.rows(sql`
    UPDATE tickets SET merged_into = ${target.id}::uuid, merged_number = ${target.number}, public_status = ${target.public_status}
    WHERE merged_into = ${source.id}::uuid`);
}

/**
 * Merges a ticket into another one. @returns the target
 * @throws NotAgent, Stale, MergeCircle, OtherRequester, InvalidTransition
 */
export async function mergeTicket(
  context: CommandContext,
  source_id: string,
  { into: target_id, force }: { into: string; force: boolean },
  expect?: number,
): Promise<TicketRow> {
  const { db, emit, caller } = context;
  const { source, target } = await lockBoth(context, source_id, target_id);
  assertAgentSide(caller, source);
  assertAgentSide(caller, target);
  assertVersion(source, expect);
  if (source.status === 'merged' && source.merged_into === target.id) return target;
  if (!TARGETS.includes(target.status)) throw InvalidTransition({ from: target.status, action: 'merge', allowed: [] });
  if (!force) assertSameRequester(source, target);
  await changeTicket(context, source, { verb: 'merge', merged: target });
  await addOpening(db, source, target);
  await moveThread(db, source, target);
  await moveLinks(db, source, target);
  const others = [source.requester_email, ...source.cc].filter((address) => address !== target.requester_email);
  // Chosen: a merge may exceed the usual number of copies. A requester could otherwise miss replies.
  const cc = [...new Set([...target.cc, ...others])];
  const tags = [...new Set([...target.tags, ...source.tags])];
  const merged = await changeTicket(context, target, { columns: { cc, tags }, hasNewReply: true });
  await recordActivities(db, [
    { ticket_id: target.id, verb: 'took_over', diff: { merged: [null, source.number] } },
    { ticket_id: source.id, verb: 'merged', diff: { merged_into: [null, target.number] } },
  ]);
  const { id: ticket_id, number } = source;
  emit(TicketMerged, { ticket_id, number, status: 'merged', into_ticket_id: target.id, into_number: target.number });
  return merged;
}
