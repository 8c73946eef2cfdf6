/** Inbox of webhook events: stores each once by the provider's ID, with its result. */
import { randomUUIDv7 } from 'node:crypto';
import { everyWorkspace, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { Mode } from '../instances/instance.rules.ts';
import type { Db } from '../../operations.ts';
import { type EventState, inboundEvents, type WebhookEvent } from './event.rules.ts';

const FINAL_STATES: readonly EventState[] = ['processed', 'ignored_stale', 'ignored_unknown'];

/** Returns true if an event was already processed and has no further effect. */
export const isProcessed = (status: EventState | undefined): status is EventState =>
  status !== undefined && FINAL_STATES.includes(status);

type EventContent = Pick<WebhookEvent, 'type' | 'object_ref' | 'subscription_ref' | 'account_ref'> & {
  created_at: Date | string;
};
const CONTENT_COLUMNS = sql`type, object_ref, subscription_ref, account_ref, created_at_provider AS created_at`;

/**
 * Returns true if two deliveries with one ID have the same content. An instance can relay other content with the ID of
 * an event.
 */
const isSameContent = (one: EventContent, other: EventContent): boolean =>
  one.type === other.type &&
  one.object_ref === other.object_ref &&
  one.subscription_ref === other.subscription_ref &&
  one.account_ref === other.account_ref &&
  new Date(one.created_at).getTime() === new Date(other.created_at).getTime();

/** The status of an event that was received before, with the same content. */
export async function statusOfReceived(db: Db, event: WebhookEvent): Promise<EventState | undefined> {
  const [row] = await everyWorkspace(db, (all) =>
    all.rows<EventContent & { status: EventState }>(sql`
      SELECT status, ${CONTENT_COLUMNS} FROM inbound_events WHERE provider_event_id = ${event.id}`),
  );
  return row && isSameContent(row, event) ? row.status : undefined;
}

/** Event in the inbox, in the transaction of its effect. */
interface InboxEvent {
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
export async function addToInbox(
  db: Db,
  event: WebhookEvent,
  {
    wl_instance_id,
    mode,
    isReplay,
    is_relayed,
  }: { wl_instance_id: string | null; mode: Mode; isReplay: boolean; is_relayed: boolean },
): Promise<InboxEvent> {
  const { id: provider_event_id, type, object_ref, subscription_ref, account_ref, created_at } = event;
  const [created] = await db.rows<{ id: string }>(sql`
    INSERT INTO inbound_events (id, wl_instance_id, provider_mode, provider_event_id, type, object_ref, subscription_ref,
      account_ref, created_at_provider, received_at, updated_at)
    VALUES (${randomUUIDv7()}::uuid, ${wl_instance_id}::uuid, ${mode}, ${provider_event_id}, ${type}, ${object_ref},
      ${subscription_ref}, ${account_ref}, ${created_at}, ${clock.now()}, ${clock.now()})
    ON CONFLICT (provider_event_id) DO NOTHING RETURNING id`);
  if (created) return { id: created.id, status: 'received', duplicate: false };
  const [existing] = await db.rows<EventContent & { id: string; status: EventState }>(sql`
    SELECT id, status, ${CONTENT_COLUMNS} FROM inbound_events WHERE provider_event_id = ${provider_event_id} FOR UPDATE`);
  // The event belongs to another sender, so this sender learns nothing about it.
  if (!existing) return { id: '', status: 'ignored_unknown', duplicate: true };
  if (!isSameContent(existing, event)) {
    if (is_relayed) return { id: '', status: 'ignored_unknown', duplicate: true };
    await db.rows(sql`
      UPDATE inbound_events SET type = ${type}, object_ref = ${object_ref}, subscription_ref = ${subscription_ref},
        account_ref = ${account_ref}, created_at_provider = ${created_at} WHERE id = ${existing.id}::uuid`);
  } else if (!isReplay && isProcessed(existing.status))
    return { id: existing.id, status: existing.status, duplicate: true };
  await db.rows(sql`UPDATE inbound_events SET attempts = attempts + 1 WHERE id = ${existing.id}::uuid`);
  return { id: existing.id, status: existing.status, duplicate: false };
}

/** Records the result of an event. */
export async function recordResult(
  db: Db,
  { id }: InboxEvent,
  status: EventState,
  error: string | null,
): Promise<void> {
  const { set, guard } = inboundEvents.deriving(sql`${status}::text`, 'inbound_events');
  await db.rows(sql`UPDATE inbound_events SET ${set} WHERE id = ${id}::uuid AND ${guard}`);
  await db.rows(sql`UPDATE inbound_events SET error = ${error}, updated_at = ${clock.now()} WHERE id = ${id}::uuid`);
}
