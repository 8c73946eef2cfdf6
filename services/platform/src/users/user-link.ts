/**
 * The record of another service that an account belongs to. The service that owns the record owns the link; accounts show
 * it, as the events tell.
 */
import { raw, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** Shows a record at the account that belongs to it, and at no other. @param user_id empty for none */
export async function showLink(
  db: Db,
  column: 'employee_id' | 'customer_id' | 'vendor_id',
  record_id: string,
  user_id: string,
): Promise<void> {
  const name = raw(column);
  const linked = user_id || null;
  await db.rows(sql`
    UPDATE users SET ${name} = NULL WHERE ${name} = ${record_id}::uuid AND id IS DISTINCT FROM ${linked}::uuid`);
  await db.rows(sql`
    UPDATE users SET ${name} = ${record_id}::uuid
    WHERE id = ${linked}::uuid AND status <> 'deleted' AND ${name} IS DISTINCT FROM ${record_id}::uuid`);
}
