import { raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * The record that a caller already made under its own id, if there is one. Whoever comes with the same id waits until the
 * transaction ends, so that one of two makes it and the other one finds it.
 */
export async function knownAs(
  db: Db,
  table: 'customers' | 'sales_invoices',
  external_id: string | null | undefined,
): Promise<string | undefined> {
  if (!external_id) return undefined;
  await db.rows(sql`
    SELECT pg_advisory_xact_lock(hashtextextended(current_setting('suite.workspace_id') || ${table} || ${external_id}, 0))::text`);
  const [row] = await db.rows<{ id: string }>(sql`SELECT id FROM ${raw(table)} WHERE external_id = ${external_id}`);
  return row?.id;
}
