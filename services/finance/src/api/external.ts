import { asCaller, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { formatWithDecimals } from '@suite/money';
import { type Db, tableNamed } from '../operations.ts';

export const ExternalIdTaken = fault(
  409,
  'external_id_taken',
  'Another record already has this external ID. Update that record instead.',
);

/** Normalises an amount, since responses always include the decimals. */
const normaliseAmount = (text: string): string => (/^\d+\.\d+$/.test(text) ? formatWithDecimals(text, 0) : text);

/** Checks that a request matches a shown record. Omitted fields and fields that are never shown are ignored. */
function isSame(requested: unknown, stored: unknown): boolean {
  if (requested === undefined || stored === undefined) return true;
  if (typeof requested === 'string' && typeof stored === 'string')
    return normaliseAmount(requested) === normaliseAmount(stored);
  if (Array.isArray(requested) && Array.isArray(stored))
    return requested.length === stored.length && requested.every((one, at) => isSame(one, stored[at]));
  if (requested === null || stored === null || typeof requested !== 'object' || typeof stored !== 'object')
    return requested === stored;
  const shown = stored as Record<string, unknown>;
  return Object.entries(requested).every(([name, value]) => isSame(value, shown[name]));
}

/**
 * Rejects a request with a known external ID and different fields. @throws ExternalIdTaken with the fields that differ
 */
export function assertSame(body: { external_id?: string | null | undefined }, record: { id: string }): void {
  const shown = record as Record<string, unknown>;
  const fields = Object.entries(body).filter(([name, value]) => !isSame(value, shown[name]));
  if (fields.length === 0) return;
  throw ExternalIdTaken({ external_id: body.external_id, id: record.id, fields: fields.map(([name]) => name) });
}

/** The permission to view the records of a table, and the records whose external ID can be used again. */
const EXTERNAL_RECORDS = {
  customers: { view: 'customer.view', isReusable: sql`FALSE` },
  sales_invoices: { view: 'sales_invoice.view', isReusable: sql`status = 'cancelled'` },
} as const;

/**
 * Returns the ID of the record that was created with this external ID, if any. Concurrent requests with the same ID
 * wait until the transaction ends. One of them creates the record, and the other finds it. The ID of a cancelled invoice
 * can be used again, like the vendor reference of a cancelled bill. Chosen: without the
 * permission to view, a caller finds only records that they created, so that they can repeat a request.
 * @throws ExternalIdTaken for a record that the caller may not see, without its ID and its differences
 */
export async function findByExternalId(
  { db, caller }: { db: Db; caller: Caller },
  table: keyof typeof EXTERNAL_RECORDS,
  external_id: string | null | undefined,
): Promise<string | undefined> {
  if (!external_id) return undefined;
  const { view, isReusable } = EXTERNAL_RECORDS[table];
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${table} || ${external_id}, 0))::text`);
  const find = () =>
    db.rows<{ id: string; created_by: string | null }>(
      sql`SELECT id, created_by FROM ${tableNamed(table)} WHERE external_id = ${external_id} AND NOT (${isReusable})`,
    );
  const [row] = await find();
  if (!row) return undefined;
  const isViewer = caller.permissions.includes(view) || row.created_by === caller.user_id;
  if (!isViewer || (await asCaller(find)).length === 0) throw ExternalIdTaken({ external_id });
  return row.id;
}
