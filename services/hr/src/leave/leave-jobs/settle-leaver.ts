/** Leave settlement of an employee who leaves. */
import { lockEmployee } from '../../employment/employment/employment.ts';
import { openAllLeave, storeLeave } from '../../employment/leave-ledger/accounts.ts';
import { settleLeaving } from '../../employment/leave-ledger/settlement.rules.ts';
import type { Db } from '../../operations.ts';

/**
 * Settles all leave of an employee whose last day is over, in the transaction of the exit. Days granted for the time
 * after the exit are withdrawn. The remaining days are paid out or expire. Excess days are recorded as well. The next
 * payslip settles both. Leave after the exit must be cancelled before.
 */
export async function settleLeaver(
  { db }: { db: Db },
  { employee_id, last_day }: { employee_id: string; last_day: string },
): Promise<void> {
  const employee = await lockEmployee(db, employee_id);
  const leaves = await openAllLeave(db, employee);
  for (const leave of leaves) settleLeaving(leave.account, leave.holder, { ...leave, last_day });
  await storeLeave(db, ...leaves);
  // The ended employment needs no further settlements.
  await db.leaveSettlement.deleteMany({ where: { employment_id: employee.employment_id } });
}
