/** Settles the leave of somebody who leaves. */
import { lockEmployee } from '../employment/employment.ts';
import { openAllLeave, storeLeave } from '../leave-ledger/accounts.ts';
import { settleLeaving } from '../leave-ledger/settlement.rules.ts';
import type { Db } from '../operations.ts';

/**
 * Settles all leave of somebody whose last day is over, in the transaction in which he leaves: days granted for the time after it
 * are taken back, and what is left is paid out or ends, and what he owes then is written down, too: the next payslip settles both.
 * Leave that he would have taken later must have been cancelled before.
 */
export async function settleLeaver(
  { db }: { db: Db },
  { employee_id, last_day }: { employee_id: string; last_day: string },
): Promise<void> {
  const employee = await lockEmployee(db, employee_id);
  const leaves = await openAllLeave(db, employee);
  for (const leave of leaves) settleLeaving(leave.account, leave.holder, { ...leave, last_day });
  await storeLeave(db, ...leaves);
  // Time has nothing to do about it any more.
  await db.leaveSettlement.deleteMany({ where: { employment_id: employee.employment_id } });
}
