/** Demo leave: automatic grants for all employees, and days that some brought from a previous employer. */
import { randomNumber } from '@suite/demo';
import { postLine } from '../employment/leave-ledger/account.rules.ts';
import { openLeave, storeLeave } from '../employment/leave-ledger/accounts.ts';
import { firstOf, lastDayOfYear, yearOf } from '../employment/leave-ledger/calendar.rules.ts';
import { settleEmployee } from '../leave/leave-jobs/settle-leave.ts';
import type { Db } from '../operations.ts';

const REASON = 'Opening balance from the previous system';

/** Settles the leave of all employees with the scheduled function, and grants some days manually. */
export async function provideLeave(db: Db): Promise<void> {
  const annual = await db.leaveType.findFirstOrThrow({ where: { code: 'annual' }, select: { id: true } });
  const people = await db.employee.findMany({ orderBy: { id: 'asc' }, select: { id: true } });
  for (const [at, { id: employee_id }] of people.entries()) {
    await settleEmployee(db, employee_id);
    if (at % 2 === 1) continue;
    const leave = await openLeave(db, { employee_id, leave_type_id: annual.id });
    const [valid_from, valid_to] = [firstOf(yearOf(leave.today)), lastDayOfYear(yearOf(leave.today))];
    const days = randomNumber(2, 10) * 50;
    const from = valid_from < leave.holder.term.from ? leave.holder.term.from : valid_from;
    postLine(leave.account, { kind: 'adjustment', days, valid_from: from, valid_to, reason: REASON });
    await storeLeave(db, leave);
  }
}
