/** Views of events for the instance that they are about. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, paginate } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import type { EventState, WebhookEvent } from './event.rules.ts';

/** Returns a page of the events about an instance, in the mode of its token. */
export const listEvents = (db: Db, caller: Caller, request: ListRequest) =>
  paginate(db, request, {
    table: 'inbound_events',
    // Selects the rows of an instance, whose ID replaces the workspace ID of other lists.
    from: sql`(
      SELECT id, wl_instance_id AS workspace_id, provider_event_id, type, object_ref, status, attempts, error,
        created_at_provider, received_at, updated_at
      FROM inbound_events WHERE wl_instance_id = ${caller.instance!.id}::uuid)`,
  });

const findInstanceEvent = (db: Db, id: string) =>
  db.inboundEvent.findFirst({ where: { id, wl_instance_id: { not: null } } });

/** Returns the stored parts of an event. */
export async function readStoredEvent(db: Db, id: string): Promise<WebhookEvent | undefined> {
  const row = await findInstanceEvent(db, id);
  if (!row) return undefined;
  const { provider_event_id, type, created_at_provider, object_ref, subscription_ref, account_ref } = row;
  const references = { object_ref, subscription_ref, account_ref };
  return { id: provider_event_id, type, created_at: created_at_provider, livemode: undefined, ...references };
}

/** Returns an event as displayed. @throws NotFound */
export async function readInboundEvent(db: Db, id: string) {
  const row = await findInstanceEvent(db, id);
  if (!row) throw NotFound();
  return { ...row, status: row.status as EventState };
}
