/** How the object of an event stands here, whoever it belongs to: an event names it by the provider's id alone. */
import { everyWorkspace, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { About } from './event.rules.ts';

export interface Standing {
  wl_instance_id: string | null;
  /** The provider's time of the newest event about it. */
  latest_event_at: string | null;
}

/** Looks an object up; undefined for one that is not known here. */
export async function standingOf(db: Db, { kind, ref }: About): Promise<Standing | undefined> {
  const account = sql`SELECT wl_instance_id, latest_event_at FROM connect_accounts WHERE provider_account_id = ${ref}`;
  const statement = {
    subscription: sql`SELECT wl_instance_id, latest_event_at FROM subscriptions WHERE provider_ref = ${ref}`,
    checkout: sql`SELECT wl_instance_id, latest_event_at FROM checkout_sessions WHERE provider_ref = ${ref}`,
    account,
    deauthorized: account,
  }[kind];
  const [row] = await everyWorkspace(db, (all) => all.rows<Standing>(statement));
  return row;
}
