/** Reads leave ledger lines that are settled in money: days paid out, and negative balances of leavers. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Leave ledger line that a payslip settles. */
export interface PaidLeaveRow {
  id: string;
  employee_id: string;
  /** Day that the days belong to. */
  on: string;
  /** Days paid out. Negative for excess days, which are deducted. */
  days: string;
  /** Final payslip that has settled the line. */
  entry_id: string | null;
}

/** Returns the leave lines of employees up to a day, by employee. */
export async function readLeaveRows(
  db: Db,
  ids: readonly string[],
  until: string,
): Promise<Map<string, PaidLeaveRow[]>> {
  const rows = await db.rows<PaidLeaveRow>(sql`
    SELECT line.id, line.employee_id, line.valid_from::text AS "on", (-line.days)::text AS days, settled.entry_id
    FROM leave_ledger AS line LEFT JOIN payslip_leave_lines AS settled ON settled.id = line.id
    WHERE line.employee_id = ANY (${ids}::uuid[]) AND line.kind = 'encash' AND line.valid_from <= ${until}::date`);
  return Map.groupBy(rows, ({ employee_id }) => employee_id);
}

/** Returns the condition that an employee has a line not yet settled by a final payslip. */
export const hasUnsettledLeave = (employee_id: Sql, until: string): Sql => sql`EXISTS (
  SELECT FROM leave_ledger AS line WHERE line.employee_id = ${employee_id} AND line.kind = 'encash'
    AND line.valid_from <= ${until}::date AND NOT EXISTS (SELECT FROM payslip_leave_lines AS settled WHERE settled.id = line.id))`;
