/** Payslips whose payment is withheld: they are final, and nobody is paid by them until they are released. */
import { sql } from '@suite/chassis';
import type { CommandContext, Db } from '../operations.ts';
import { assertNothingOpen } from '../payroll-postings/posting.ts';
import { readEntry, witnessFigures } from '../payrolls/payroll-entries.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { readSettings } from '../settings/settings.ts';
import { OwnPayslipRefused } from './payment.rules.ts';

/** Refuses one's own payslip. @throws OwnPayslipRefused */
async function assertOther(db: Db, user_id: string, employee_id: string): Promise<void> {
  const [own] = await db.rows(sql`
    SELECT FROM employees WHERE id = ${employee_id}::uuid AND user_id = ${user_id}::uuid`);
  if (own && (await readSettings(db)).four_eyes) throw OwnPayslipRefused();
}

/** Withholds a payslip, or releases it, and answers with it; that figures were shown is written down. @throws InvalidTransition, OwnPayslipRefused, PayrollPending while it is being paid */
export async function moveWithheld(
  { request_id, ...context }: CommandContext & { request_id: string },
  { id, verb, reason }: { id: string; verb: 'withhold' | 'release'; reason: string },
): ReturnType<typeof readEntry> {
  const { db, caller } = context;
  const { payroll_id, employee_id } = await db.payrollEntry.findFirstOrThrow({ where: { id } });
  await lockPayroll(db, payroll_id);
  await assertOther(db, caller.user_id, employee_id);
  await assertNothingOpen(db, payroll_id);
  await payslipStates.move(db.payrollEntry, id, verb, { withheld_reason: reason }, caller);
  const entry = await readEntry(context, id);
  await witnessFigures((work) => work(db), { caller, request_id }, [entry]);
  return entry;
}
