/**
 * Finds the known object of an event in any workspace or instance, because an event names it by the provider's ID
 * alone.
 */
import { everyWorkspace, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { EventSubject } from './event.rules.ts';

export interface KnownObject {
  wl_instance_id: string | null;
  /** Provider time of the newest event about the subscription. */
  latest_event_at: string | null;
}

/** Returns the stored object, or undefined for an unknown one. */
export async function findKnownObject(db: Db, { kind, ref }: EventSubject): Promise<KnownObject | undefined> {
  const account = sql`SELECT wl_instance_id, latest_event_at FROM connect_accounts WHERE provider_account_id = ${ref}`;
  const statement = {
    subscription: sql`SELECT wl_instance_id, latest_event_at FROM subscriptions WHERE provider_ref = ${ref}`,
    checkout: sql`SELECT wl_instance_id, latest_event_at FROM checkout_sessions WHERE provider_ref = ${ref}`,
    account,
    deauthorized: account,
  }[kind];
  const [row] = await everyWorkspace(db, (all) => all.rows<KnownObject>(statement));
  return row;
}
