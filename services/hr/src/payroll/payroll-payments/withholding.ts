/** Withheld payslips: final, but not paid until they are released. */
import { type RecordContext, assertNotOwn } from '../../employment/employment/own-record.ts';
import type { CommandContext } from '../../operations.ts';
import { assertNothingOpen } from '../payroll-postings/posting.ts';
import { readPayrollEntry, auditEntries } from '../payrolls/payroll-entries.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { updateSettledFlag } from './payable.ts';

/**
 * Withholds or releases a payslip and returns it. The access to its amounts is recorded in the access log.
 * @throws InvalidTransition, OwnRecord, PayrollPending while the payslip is being paid
 */
export async function changeWithholding(
  { request_id, ...context }: CommandContext & RecordContext & { request_id: string },
  { id, verb, reason }: { id: string; verb: 'withhold' | 'release'; reason: string },
): ReturnType<typeof readPayrollEntry> {
  const { db, caller } = context;
  const { payroll_id, employee_id } = await db.payrollEntry.findFirstOrThrow({ where: { id } });
  await lockPayroll(db, payroll_id);
  const { user_id } = await db.employee.findFirstOrThrow({ where: { id: employee_id }, select: { user_id: true } });
  assertNotOwn(context, { user_id });
  await assertNothingOpen(db, payroll_id);
  await payslipStates.move(db.payrollEntry, id, verb, { withheld_reason: reason }, caller);
  await updateSettledFlag(db, payroll_id);
  const entry = await readPayrollEntry(context, id);
  await auditEntries((work) => work(db), { caller, request_id }, [entry]);
  return entry;
}
