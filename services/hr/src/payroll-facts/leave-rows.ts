/** Reads the lines of the ledger of leave that are settled with money: days that are paid out, and days that leavers owe. */
import { type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** A line that some payslip settles. */
export interface LeaveRow {
  id: string;
  employee_id: string;
  /** The day of which its days are. */
  on: string;
  /** Days that are paid out; below zero, days that are owed. */
  days: string;
  /** The final payslip that has settled it. */
  entry_id: string | null;
}

/** The lines of people until a day, by employee. */
export async function readLeaveRows(db: Db, ids: readonly string[], until: string): Promise<Map<string, LeaveRow[]>> {
  const rows = await db.rows<LeaveRow>(sql`
    SELECT line.id, line.employee_id, line.valid_from::text AS "on", (-line.days)::text AS days, settled.entry_id
    FROM leave_ledger AS line LEFT JOIN payslip_leave_lines AS settled ON settled.id = line.id
    WHERE line.employee_id = ANY (${ids}::uuid[]) AND line.kind = 'encash' AND line.valid_from <= ${until}::date`);
  return Map.groupBy(rows, ({ employee_id }) => employee_id);
}

/** Whether somebody has a line that no final payslip has settled yet. */
export const hasUnsettledLeave = (employee_id: Sql, until: string): Sql => sql`EXISTS (
  SELECT FROM leave_ledger AS line WHERE line.employee_id = ${employee_id} AND line.kind = 'encash'
    AND line.valid_from <= ${until}::date AND NOT EXISTS (SELECT FROM payslip_leave_lines AS settled WHERE settled.id = line.id))`;
