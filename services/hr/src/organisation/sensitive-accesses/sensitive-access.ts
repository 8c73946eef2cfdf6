/** Access log of sensitive employee data. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';

/** Sensitive fields of an employee that a caller has seen. */
export interface AccessedField {
  employee_id: string;
  fields: readonly string[];
}

/** Runs a function in a separate transaction. */
type WriteTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Writes one log entry for each employee whose sensitive data was shown. */
export async function recordAccess(
  write: WriteTransaction,
  { caller, request_id }: { caller: Caller; request_id: string },
  shown: readonly AccessedField[],
): Promise<void> {
  const rows = shown.flatMap(({ fields, ...of }) => (fields.length > 0 ? [{ id: randomUUIDv7(), ...of, fields }] : []));
  if (rows.length === 0) return;
  await write((db) =>
    db.rows(sql`
      INSERT INTO sensitive_accesses (id, by, employee_id, fields, request_id, at)
      SELECT id, ${caller.user_id}::uuid, employee_id, fields, ${request_id}, ${clock.now()}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS shown (id uuid, employee_id uuid, fields text[])`),
  );
}
