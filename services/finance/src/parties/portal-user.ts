/** Portal account of a customer or vendor. The user sees their documents, so linking requires permissions. */
import { sql } from '@suite/chassis/database';
import { fault, Forbidden, unknownRecord } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { CustomerPortalUserChanged, VendorPortalUserChanged } from '@suite/proto/finance/v1/events';
import { type Db, type Rpc, tableNamed } from '../operations.ts';
import type { PartyKind } from './party-kind.ts';
import { tableOf } from './party.view.ts';

export const AccountLinked = fault(
  409,
  'account_linked',
  'This account is already linked to another record. Remove that link first.',
);

/** Permissions for the records that a link makes visible to the account. */
const EXPOSED = {
  customer: ['customer.view', 'sales_invoice.view', 'proposal.view'],
  vendor: ['vendor.view', 'purchase_invoice.view', 'purchase_return.view'],
  agent: ['commission.view', 'sales_invoice.view'],
} as const;

/**
 * Rejects a link that shows more than the caller can read: they need each permission, for all records.
 * @throws Forbidden with the permission and, if it is narrower, the record scope
 */
export function assertMayLink(caller: Caller, kind: keyof typeof EXPOSED): void {
  const field = 'user_id';
  for (const permission of EXPOSED[kind]) {
    if (!caller.permissions.includes(permission)) throw Forbidden({ permission, field });
    const scope = caller.record_scopes[permission.split('.')[0]!] ?? 'all';
    if (scope !== 'all') throw Forbidden({ permission, record_scope: 'all', field });
  }
}

/** Requests the portal user of a customer or vendor from platform. @throws a 422 that names the field */
export async function fetchPortalUser(
  rpc: Rpc,
  kind: 'client' | 'vendor',
  { user_id }: { user_id?: string | null | undefined },
): Promise<void> {
  if (!user_id) return;
  const { users } = await rpc.platform.batchGetUsers({ user_ids: [user_id] });
  if (users[0]?.kind !== kind) throw unknownRecord('user_id', kind);
}

interface PortalUserChange {
  db: Db;
  emit: Emit;
  /** Null for automatic work of finance. */
  caller: Caller | null;
}

/** Emits the event with the current portal user of a customer or vendor. */
export function announcePortalUser(emit: Emit, kind: PartyKind, id: string, user_id: string | null): void {
  if (kind === 'customer') emit(CustomerPortalUserChanged, { customer_id: id, user_id: user_id ?? '' });
  else emit(VendorPortalUserChanged, { vendor_id: id, user_id: user_id ?? '' });
}

/**
 * Checks a change of the portal user, and announces it. Does nothing if the user is unchanged.
 * @param before the current account. Null for a new record
 * @throws Forbidden, AccountLinked
 */
export async function linkPortalUser(
  { db, emit, caller }: PortalUserChange,
  { kind, id, before }: { kind: PartyKind; id: string; before: string | null },
  user_id: string | null | undefined,
): Promise<void> {
  if (user_id === undefined || user_id === before) return;
  if (user_id !== null) {
    if (caller) assertMayLink(caller, kind);
    // Serialises concurrent links of one account: the second waits, and finds the first.
    await db.rows(sql`
      SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${`portal user ${user_id}`}, 0))`);
    const [linked] = await db.rows(sql`
      SELECT id FROM ${tableNamed(tableOf(kind))} WHERE user_id = ${user_id}::uuid AND id <> ${id}::uuid LIMIT 1`);
    if (linked) throw AccountLinked({ field: 'user_id' });
  }
  announcePortalUser(emit, kind, id, user_id);
}
