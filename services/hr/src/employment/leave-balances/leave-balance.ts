/** Manual changes of balances: days granted or withdrawn with a reason, and days paid out. */
import { fault, invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { z } from 'zod';
import { assertNotLeft, assertOther, type LockedEmployee, lockEmployee } from '../employment/employment.ts';
import { assertInReach } from '../employment/record-scope.ts';
import { postLine } from '../leave-ledger/account.rules.ts';
import { laterOf } from '../leave-ledger/calendar.rules.ts';
import { openLeave, type OpenLeave, storeLeave } from '../leave-ledger/accounts.ts';
import { type Draw, draw, drawable } from '../leave-ledger/draw.rules.ts';
import { daysText, hundredths } from '../leave-ledger/holder.rules.ts';
import type { Db } from '../../operations.ts';
import type { LeaveAdjustment, LeaveEncashment } from './leave-balance.schema.ts';
import type { LeaveLine } from '../leave-ledger/leave-line.schema.ts';
import { readBalance } from './leave-balance.view.ts';

export const BalanceTooLow = fault(409, 'insufficient_balance', 'The leave balance is too low. Choose fewer days.');
export const NotEncashable = fault(
  409,
  'not_encashable',
  'Days of this leave type cannot be paid out. Choose another type.',
);

/** Context of commands that change the balances of other employees. */
interface BalanceContext {
  db: Db;
  caller: Caller;
}

interface BalanceOwner {
  employee_id: string;
  leave_type_id: string;
}

/**
 * Locks the employee whose balance is changed. @throws OwnRecord, EmploymentEnded; a 422 for an employee outside the
 * caller's record scope
 */
async function lockOther({ db, caller }: BalanceContext, employee_id: string): Promise<LockedEmployee> {
  await assertInReach({ db, caller }, 'leave_balance', employee_id);
  const employee = await lockEmployee(db, employee_id);
  assertOther(employee, caller);
  assertNotLeft(employee);
  return employee;
}

/** Stores and returns the changed balance as of today. For an employee who joins later, it is as of their first day. */
async function storeBalance({ db }: BalanceContext, leave: OpenLeave, { joining_date }: LockedEmployee) {
  const lines = await storeLeave(db, leave);
  const ledger_lines = await db.leaveLedger.findMany({
    where: { id: { in: lines.map(({ id }) => id) } },
    orderBy: { id: 'asc' },
  });
  const balance = await readBalance(db, leave, laterOf(leave.today, joining_date));
  return {
    balance,
    ledger_lines: ledger_lines.map((line) => ({ ...line, updated_at: line.created_at })) as object as z.input<
      typeof LeaveLine
    >[],
  };
}

/** Deducts days from an account. @throws BalanceTooLow */
function drawFrom({ account, holder, today }: OpenLeave, drawn: Draw): void {
  const available = drawable(account, drawn.on);
  const found = draw(account, { holder, today }, drawn);
  if (Array.isArray(found)) return;
  throw BalanceTooLow({
    available: daysText(available),
    asked: daysText(drawn.days),
    short: daysText(found.short),
    first_short_on: found.first_short_on,
  });
}

/**
 * Grants or withdraws days manually. A withdrawal is limited to the available days that are neither held nor planned.
 * @throws OwnRecord, EmploymentEnded, BalanceTooLow; a 422 for a day before the employment
 */
export async function adjustBalance(
  change: BalanceContext,
  { days, valid_from, valid_to, reason, ...of }: LeaveAdjustment,
) {
  const employee = await lockOther(change, of.employee_id);
  if (valid_from < employee.joining_date)
    throw invalid('valid_from', `Enter a day of the employment, which began on ${employee.joining_date}.`);
  const leave = await openLeaveOf(change, of, employee);
  const amount = hundredths(days);
  if (amount > 0)
    postLine(leave.account, { kind: 'adjustment', days: amount, valid_from, valid_to: valid_to ?? null, reason });
  else drawFrom(leave, { kind: 'adjustment', days: -amount, on: valid_from, reason });
  return await storeBalance(change, leave, employee);
}

/** Opens the leave account of a locked employee. @throws a 422 fault for an unknown leave type */
async function openLeaveOf({ db }: BalanceContext, of: BalanceOwner, employee: LockedEmployee): Promise<OpenLeave> {
  const type = await db.leaveType.findFirst({ where: { id: of.leave_type_id }, select: { id: true } });
  if (!type) throw invalid('leave_type_id', 'Record not found.');
  return await openLeave(db, of, employee);
}

/**
 * Pays out days as of today. The next regular payslip of that day or later pays them and lists each line.
 * @throws OwnRecord, EmploymentEnded, NotEncashable, BalanceTooLow
 */
export async function encashBalance(change: BalanceContext, { days, reason, ...of }: LeaveEncashment) {
  const employee = await lockOther(change, of.employee_id);
  const leave = await openLeaveOf(change, of, employee);
  if (!leave.encashable) throw NotEncashable();
  drawFrom(leave, { kind: 'encash', days: hundredths(days), on: leave.today, reason: reason ?? null });
  return await storeBalance(change, leave, employee);
}
