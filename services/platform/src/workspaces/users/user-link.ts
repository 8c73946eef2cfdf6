/**
 * Link of an account to a record of another service. The service that owns the record owns the link. Accounts show it,
 * as its events report.
 */
import { raw, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Links a record to its user account and removes it from all others. @param user_id empty for none */
export async function linkRecord(
  db: Db,
  column: 'employee_id' | 'customer_id' | 'vendor_id',
  record_id: string,
  user_id: string,
): Promise<void> {
  const name = raw(column);
  const linked_user_id = user_id || null;
  await db.rows(sql`
    UPDATE users SET ${name} = NULL WHERE ${name} = ${record_id}::uuid AND id IS DISTINCT FROM ${linked_user_id}::uuid`);
  await db.rows(sql`
    UPDATE users SET ${name} = ${record_id}::uuid
    WHERE id = ${linked_user_id}::uuid AND status <> 'deleted' AND ${name} IS DISTINCT FROM ${record_id}::uuid`);
}
