/** The inbox of events: each is kept once, by the provider's id, with what came of it. */
import { randomUUIDv7 } from 'node:crypto';
import { clock, everyWorkspace, sql } from '@suite/chassis';
import type { Mode } from '../instances/instance.rules.ts';
import type { Db } from '../operations.ts';
import { type EventState, inboundEvents, type ReadEvent } from './event.rules.ts';

const TAKEN_IN: readonly EventState[] = ['processed', 'ignored_stale', 'ignored_unknown'];

/** Whether an event was taken in, so that it has no effect any more. */
export const isTakenIn = (status: EventState | undefined): status is EventState =>
  status !== undefined && TAKEN_IN.includes(status);

/** The outcome of an event, if it came before. */
export async function seenEvent(db: Db, provider_event_id: string): Promise<EventState | undefined> {
  const [row] = await everyWorkspace(db, (all) =>
    all.rows<{ status: EventState }>(sql`
      SELECT status FROM inbound_events WHERE provider_event_id = ${provider_event_id}`),
  );
  return row?.status;
}

/** An event in the inbox, within the transaction of its effect. */
interface Inboxed {
  id: string;
  status: EventState;
  /** It was taken in before. */
  duplicate: boolean;
}

/**
 * Puts an event into the inbox; of several deliveries at once the others wait for the first one here.
 * @param again takes one in that was taken in before
 */
export async function putIntoInbox(
  db: Db,
  event: ReadEvent,
  { wl_instance_id, mode, again }: { wl_instance_id: string | null; mode: Mode; again: boolean },
): Promise<Inboxed> {
  const { id: provider_event_id, type, object_ref, subscription_ref, account_ref, created_at } = event;
  const [made] = await db.rows<{ id: string }>(sql`
    INSERT INTO inbound_events (id, wl_instance_id, provider_mode, provider_event_id, type, object_ref, subscription_ref,
      account_ref, created_at_provider, received_at, updated_at)
    VALUES (${randomUUIDv7()}::uuid, ${wl_instance_id}::uuid, ${mode}, ${provider_event_id}, ${type}, ${object_ref},
      ${subscription_ref}, ${account_ref}, ${created_at}, ${clock.now()}, ${clock.now()})
    ON CONFLICT (provider_event_id) DO NOTHING RETURNING id`);
  if (made) return { id: made.id, status: 'received', duplicate: false };
  const [known] = await db.rows<{ id: string; status: EventState }>(sql`
    SELECT id, status FROM inbound_events WHERE provider_event_id = ${provider_event_id} FOR UPDATE`);
  // Another one's, of which its sender is told nothing.
  if (!known) return { id: '', status: 'ignored_unknown', duplicate: true };
  if (!again && isTakenIn(known.status)) return { ...known, duplicate: true };
  await db.rows(sql`UPDATE inbound_events SET attempts = attempts + 1 WHERE id = ${known.id}::uuid`);
  return { ...known, duplicate: false };
}

/** Writes down what came of an event. */
export async function settleEvent(db: Db, { id }: Inboxed, status: EventState, error: string | null): Promise<void> {
  const { set, guard } = inboundEvents.deriving(sql`${status}::text`, 'inbound_events');
  await db.rows(sql`UPDATE inbound_events SET ${set} WHERE id = ${id}::uuid AND ${guard}`);
  await db.rows(sql`UPDATE inbound_events SET error = ${error}, updated_at = ${clock.now()} WHERE id = ${id}::uuid`);
}
