/** Inbox of webhook events: stores each once by the provider's ID, with its result. */
import { randomUUIDv7 } from 'node:crypto';
import { everyWorkspace, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Mode } from '../instances/instance.rules.ts';
import type { Db } from '../../operations.ts';
import { type EventState, inboundEvents, type ReadEvent } from './event.rules.ts';

const TAKEN_IN: readonly EventState[] = ['processed', 'ignored_stale', 'ignored_unknown'];

/** Returns true if an event was already processed and has no further effect. */
export const isTakenIn = (status: EventState | undefined): status is EventState =>
  status !== undefined && TAKEN_IN.includes(status);

type Content = Pick<ReadEvent, 'type' | 'object_ref' | 'subscription_ref' | 'account_ref'> & {
  created_at: Date | string;
};
const CONTENT = sql`type, object_ref, subscription_ref, account_ref, created_at_provider AS created_at`;

/**
 * Returns true if two deliveries with one ID have the same content. An instance can relay other content with the ID of
 * an event.
 */
const isSame = (one: Content, other: Content): boolean =>
  one.type === other.type &&
  one.object_ref === other.object_ref &&
  one.subscription_ref === other.subscription_ref &&
  one.account_ref === other.account_ref &&
  new Date(one.created_at).getTime() === new Date(other.created_at).getTime();

/** The status of an event that was received before, with the same content. */
export async function seenEvent(db: Db, event: ReadEvent): Promise<EventState | undefined> {
  const [row] = await everyWorkspace(db, (all) =>
    all.rows<Content & { status: EventState }>(sql`
      SELECT status, ${CONTENT} FROM inbound_events WHERE provider_event_id = ${event.id}`),
  );
  return row && isSame(row, event) ? row.status : undefined;
}

/** Event in the inbox, in the transaction of its effect. */
interface Inboxed {
  id: string;
  status: EventState;
  /** True if the event was processed before. */
  duplicate: boolean;
}

/**
 * Adds an event to the inbox. Concurrent deliveries wait for the first one here. The content from the provider replaces
 * other content that an instance has relayed with the same ID.
 * @param again receives an event again that was received before
 */
export async function putIntoInbox(
  db: Db,
  event: ReadEvent,
  {
    wl_instance_id,
    mode,
    again,
    is_relayed,
  }: { wl_instance_id: string | null; mode: Mode; again: boolean; is_relayed: boolean },
): Promise<Inboxed> {
  const { id: provider_event_id, type, object_ref, subscription_ref, account_ref, created_at } = event;
  const [made] = await db.rows<{ id: string }>(sql`
    INSERT INTO inbound_events (id, wl_instance_id, provider_mode, provider_event_id, type, object_ref, subscription_ref,
      account_ref, created_at_provider, received_at, updated_at)
    VALUES (${randomUUIDv7()}::uuid, ${wl_instance_id}::uuid, ${mode}, ${provider_event_id}, ${type}, ${object_ref},
      ${subscription_ref}, ${account_ref}, ${created_at}, ${clock.now()}, ${clock.now()})
    ON CONFLICT (provider_event_id) DO NOTHING RETURNING id`);
  if (made) return { id: made.id, status: 'received', duplicate: false };
  const [known] = await db.rows<Content & { id: string; status: EventState }>(sql`
    SELECT id, status, ${CONTENT} FROM inbound_events WHERE provider_event_id = ${provider_event_id} FOR UPDATE`);
  // The event belongs to another sender, so this sender learns nothing about it.
  if (!known) return { id: '', status: 'ignored_unknown', duplicate: true };
  if (!isSame(known, event)) {
    if (is_relayed) return { id: '', status: 'ignored_unknown', duplicate: true };
    await db.rows(sql`
      UPDATE inbound_events SET type = ${type}, object_ref = ${object_ref}, subscription_ref = ${subscription_ref},
        account_ref = ${account_ref}, created_at_provider = ${created_at} WHERE id = ${known.id}::uuid`);
  } else if (!again && isTakenIn(known.status)) return { id: known.id, status: known.status, duplicate: true };
  await db.rows(sql`UPDATE inbound_events SET attempts = attempts + 1 WHERE id = ${known.id}::uuid`);
  return { id: known.id, status: known.status, duplicate: false };
}

/** Records the result of an event. */
export async function settleEvent(db: Db, { id }: Inboxed, status: EventState, error: string | null): Promise<void> {
  const { set, guard } = inboundEvents.deriving(sql`${status}::text`, 'inbound_events');
  await db.rows(sql`UPDATE inbound_events SET ${set} WHERE id = ${id}::uuid AND ${guard}`);
  await db.rows(sql`UPDATE inbound_events SET error = ${error}, updated_at = ${clock.now()} WHERE id = ${id}::uuid`);
}
