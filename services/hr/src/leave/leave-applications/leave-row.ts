/** Locks and stores leave requests with their days. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import type { CountedDay } from './leave-days.rules.ts';

/** Leave request locked by a command. */
export interface LeaveRow {
  id: string;
  employee_id: string;
  leave_type_id: string;
  from: string;
  to: string;
  half_day: string;
  starts_midday: boolean;
  ends_midday: boolean;
  reason: string | null;
  attachment_key: string | null;
  status: string;
  approver_id: string | null;
  on_behalf_of: string | null;
  first_approved_by: string | null;
  overrides: string[];
  /** Day of the request, in the workspace time zone. */
  asked_on: string;
  version: number;
}

/** Returns the employee of a leave request. @throws NotFound */
export async function employeeOf(db: Db, id: string): Promise<string> {
  const [found] = await db.rows<{ employee_id: string }>(sql`
    SELECT employee_id FROM leave_applications WHERE id = ${id}::uuid`);
  if (!found) throw NotFound();
  return found.employee_id;
}

/** Locks a leave request. Lock its employee first, as all code that opens the leave account does. @throws NotFound */
export async function lockLeave(db: Db, id: string): Promise<LeaveRow> {
  const [row] = await db.rows<LeaveRow>(sql`
    SELECT id, employee_id, leave_type_id, "from"::text AS "from", "to"::text AS "to", half_day, starts_midday, ends_midday, reason,
      attachment_key, status, approver_id, on_behalf_of, first_approved_by, overrides, version,
      (asked_at AT TIME ZONE (SELECT timezone FROM settings))::date::text AS asked_on
    FROM leave_applications WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!row) throw NotFound();
  return row;
}

/** Replaces the days of a leave request. */
export async function writeLeaveDays(
  db: Db,
  { id, employee_id }: Pick<LeaveRow, 'id' | 'employee_id'>,
  days: readonly CountedDay[],
): Promise<void> {
  await db.rows(sql`DELETE FROM leave_days WHERE application_id = ${id}::uuid`);
  await db.rows(sql`
    INSERT INTO leave_days (application_id, employee_id, day, days)
    SELECT ${id}::uuid, ${employee_id}::uuid, day, days::numeric / 100
    FROM jsonb_to_recordset(${JSON.stringify(days)}::jsonb) AS counted (day date, days int)`);
}

/** Reads the days of a leave request, in hundredths. */
export const readLeaveDays = (db: Db, id: string): Promise<CountedDay[]> =>
  db.rows<CountedDay>(sql`
    SELECT day::text AS day, (days * 100)::int AS days FROM leave_days WHERE application_id = ${id}::uuid ORDER BY day`);
