/** Start of a payroll run. Its payslips are pending, and a schedule calculates them right after the commit. */
import { runAfterCommit, sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import type { CommandContext, Db } from '../../operations.ts';
import { enrol } from '../payrolls/payroll-members.ts';
import { deleteCalculatedValues, lockPayroll } from '../payrolls/payroll.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { CALCULATE, payslipStates } from '../payslips/payslip.rules.ts';
import { settingsOfNow } from '../payroll-facts/run-settings.ts';

/** Sets failed payslips to pending again and leaves the others unchanged. */
async function retryFailed(db: Db, payroll_id: string): Promise<void> {
  const { set, guard } = payslipStates.moving('retry');
  await db.rows(sql`
    UPDATE payroll_entries SET ${set}, calculated_at = NULL, failure_code = NULL, failure_message = NULL
    WHERE payroll_id = ${payroll_id}::uuid AND ${guard}`);
  await db.payroll.updateMany({ where: { id: payroll_id }, data: { failed: 0 } });
}

/**
 * Starts a run. For a draft or a calculated run, all payslips are calculated with current employees and settings. For a
 * failed run, only failed payslips are.
 * @returns true if the run was started, false if it was already running
 * @throws InvalidTransition, NotFound, PeriodOverlaps, NobodyToPay, Stale
 */
export async function startRun(context: CommandContext, id: string, expect?: number): Promise<boolean> {
  const { db, caller } = context;
  const run = await lockPayroll(db, id, expect);
  const patch = { run_by: caller.user_id, run_at: clock.now(), calculation_no: run.calculation_no + 1 };
  if (!(await payrollStates.move(db.payroll, id, 'run', patch, caller))) return false;
  runAfterCommit(CALCULATE);
  if (run.status === 'failed') {
    await retryFailed(db, id);
    return true;
  }
  await deleteCalculatedValues(db, id);
  const employee_count = await enrol(context, run);
  await db.payroll.updateMany({ where: { id }, data: { employee_count, settings: { ...(await settingsOfNow(db)) } } });
  return true;
}
