/** Withheld payslips: final, but not paid until they are released. */
import { type AboutSomebody, assertNotOwn } from '../../employment/employment/own-record.ts';
import type { CommandContext } from '../../operations.ts';
import { assertNothingOpen } from '../payroll-postings/posting.ts';
import { readEntry, witnessFigures } from '../payrolls/payroll-entries.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { noteSettled } from './payable.ts';

/**
 * Withholds or releases a payslip and returns it. The access to its amounts is recorded in the access log.
 * @throws InvalidTransition, OwnRecord, PayrollPending while the payslip is being paid
 */
export async function moveWithheld(
  { request_id, ...context }: CommandContext & AboutSomebody & { request_id: string },
  { id, verb, reason }: { id: string; verb: 'withhold' | 'release'; reason: string },
): ReturnType<typeof readEntry> {
  const { db, caller } = context;
  const { payroll_id, employee_id } = await db.payrollEntry.findFirstOrThrow({ where: { id } });
  await lockPayroll(db, payroll_id);
  const { user_id } = await db.employee.findFirstOrThrow({ where: { id: employee_id }, select: { user_id: true } });
  assertNotOwn(context, { user_id });
  await assertNothingOpen(db, payroll_id);
  await payslipStates.move(db.payrollEntry, id, verb, { withheld_reason: reason }, caller);
  await noteSettled(db, payroll_id);
  const entry = await readEntry(context, id);
  await witnessFigures((work) => work(db), { caller, request_id }, [entry]);
  return entry;
}
