import { asSeen, fault, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { tableNamed } from '../tables.ts';

export const ExternalIdTaken = fault(
  409,
  'external_id_taken',
  'Another record already has this `external_id`. Update that record instead.',
);

/** Amounts are shown with their decimals, however they were sent. */
const plain = (text: string): string => (/^\d+\.\d*0$/.test(text) ? text.replace(/\.?0+$/, '') : text);

/** Whether what is sent is what is there, as far as it is shown: what is left out, or never shown, differs from nothing. */
function isSame(sent: unknown, there: unknown): boolean {
  if (sent === undefined || there === undefined) return true;
  if (typeof sent === 'string' && typeof there === 'string') return plain(sent) === plain(there);
  if (Array.isArray(sent) && Array.isArray(there))
    return sent.length === there.length && sent.every((one, at) => isSame(one, there[at]));
  if (sent === null || there === null || typeof sent !== 'object' || typeof there !== 'object') return sent === there;
  const shown = there as Record<string, unknown>;
  return Object.entries(sent).every(([name, value]) => isSame(value, shown[name]));
}

/** Refuses to answer a record for a body that says something else. @throws ExternalIdTaken with the fields that differ */
export function assertSame(body: { external_id?: string | null | undefined }, record: { id: string }): void {
  const shown = record as Record<string, unknown>;
  const fields = Object.entries(body).filter(([name, value]) => !isSame(value, shown[name]));
  if (fields.length === 0) return;
  throw ExternalIdTaken({ external_id: body.external_id, id: record.id, fields: fields.map(([name]) => name) });
}

/**
 * The record that a caller already made under its own id, if there is one. Whoever comes with the same id waits until the
 * transaction ends, so that one of two makes it and the other one finds it.
 * @throws ExternalIdTaken for one that the caller may not see, with nothing of it: neither its id nor what differs
 */
export async function knownAs(
  db: Db,
  table: 'customers' | 'sales_invoices',
  external_id: string | null | undefined,
): Promise<string | undefined> {
  if (!external_id) return undefined;
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${table} || ${external_id}, 0))::text`);
  const find = () =>
    db.rows<{ id: string }>(sql`SELECT id FROM ${tableNamed(table)} WHERE external_id = ${external_id}`);
  const [row] = await find();
  if (row && (await asSeen(find)).length === 0) throw ExternalIdTaken({ external_id });
  return row?.id;
}
