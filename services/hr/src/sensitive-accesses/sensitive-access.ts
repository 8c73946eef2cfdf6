/** Writes down who was shown what of a person that is sensitive. */
import { randomUUIDv7 } from 'node:crypto';
import { type Caller, clock, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** The fields of an employee that somebody was shown. */
export interface Shown {
  employee_id: string;
  fields: readonly string[];
}

/** Works in a transaction of its own. */
type Write = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Notes one row for each person of whom something sensitive was shown; nothing where nothing was. */
export async function noteAccess(
  write: Write,
  { caller, request_id }: { caller: Caller; request_id: string },
  shown: readonly Shown[],
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
