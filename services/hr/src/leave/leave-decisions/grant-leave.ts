/** Granting and withdrawing leave. Ledger, attendance and days are written in the transaction of the decision. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { applyLeave, withdrawLeave } from '../../attendance/attendance-days/leave-days.ts';
import type { CountedDay } from '../leave-applications/leave-days.rules.ts';
import { leaveDaysOf } from '../leave-applications/leave-request.ts';
import type { LeaveRow } from '../leave-applications/leave-row.ts';
import { type OpenLeave, openLeave, storeLeave } from '../../employment/leave-ledger/accounts.ts';
import { type LeaveLedgerLine, restoreCharges, takingsOf } from '../../employment/leave-ledger/account.rules.ts';
import { daysText } from '../../employment/leave-ledger/holder.rules.ts';
import { takeDays } from '../../employment/leave-ledger/replay.rules.ts';
import type { Db } from '../../operations.ts';

/** Transaction context of a leave decision. */
export interface DecisionContext {
  db: Db;
  emit: Emit;
}

/** Rows that a decision created. */
export interface DecisionRows {
  ledger_lines: (Omit<LeaveLedgerLine, 'days'> & { days: string })[];
  attendance_days: { id: string; local_date: string; status: string | null }[];
}

/** Result of a repeated decision, which creates no rows. */
export const NO_ROWS: DecisionRows = { ledger_lines: [], attendance_days: [] };

/** Returns the attendance days of a leave request, including days that it covered before. */
const attendanceOf = (
  db: Db,
  { id, employee_id }: Pick<LeaveRow, 'id' | 'employee_id'>,
  days: readonly string[],
): Promise<DecisionRows['attendance_days']> =>
  db.rows(sql`
    SELECT id, local_date::text AS local_date, status FROM attendances
    WHERE employee_id = ${employee_id}::uuid AND local_date = ANY (${days}::date[] || ARRAY(
      SELECT day FROM leave_days WHERE application_id = ${id}::uuid)) ORDER BY local_date`);

/** Returns ledger lines in the response format, with decimal days. */
const linesToJson = (lines: readonly LeaveLedgerLine[]): DecisionRows['ledger_lines'] =>
  lines.map((line) => ({ ...line, days: daysText(line.days) }));

type LeaveKey = Pick<LeaveRow, 'id' | 'employee_id' | 'leave_type_id'>;

/** Charges the days of a checked leave request. */
export async function grantLeave(
  context: DecisionContext,
  row: LeaveKey,
  leave: OpenLeave,
  counted: readonly CountedDay[],
): Promise<DecisionRows> {
  // Settlement lines are stored first, because they are not part of the decision.
  await storeLeave(context.db, leave);
  takeDays(leave.account, leave.today, leaveDaysOf(row.id, counted));
  const ledger_lines = linesToJson(await storeLeave(context.db, leave));
  const days = counted.map(({ day }) => day);
  await applyLeave(context, { employee_id: row.employee_id, days });
  return { ledger_lines, attendance_days: await attendanceOf(context.db, row, days) };
}

/**
 * Returns days of granted leave to the lots they were charged to. Cancel the request or write its other days first.
 * @param keeps_holidays true to keep holidays among the days as attendance days
 */
export async function releaseLeaveDays(
  context: DecisionContext,
  row: LeaveKey,
  { days, keeps_holidays = false }: { days: readonly string[]; keeps_holidays?: boolean },
): Promise<DecisionRows> {
  const { db } = context;
  const { id, employee_id, leave_type_id } = row;
  const leave = await openLeave(db, { employee_id, leave_type_id, deciding: id });
  await storeLeave(db, leave);
  for (const taking of takingsOf(leave.account))
    if (taking.application_id === id && days.includes(taking.day)) restoreCharges(leave.account, taking);
  const ledger_lines = linesToJson(await storeLeave(db, leave));
  await withdrawLeave(context, { employee_id, days, keeps_holidays });
  return { ledger_lines, attendance_days: await attendanceOf(db, row, days) };
}

/**
 * Releases the pending days of a request. The settlement then treats them as unused, such as by carrying them into a
 * new year.
 */
export async function releaseDays(db: Db, { id, employee_id, leave_type_id }: LeaveKey): Promise<DecisionRows> {
  const leave = await openLeave(db, { employee_id, leave_type_id, deciding: id });
  return { ...NO_ROWS, ledger_lines: linesToJson(await storeLeave(db, leave)) };
}
