/** Creates, updates, deletes and cancels payroll runs. Until approval, a run is neither paid nor posted nor final. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { PayrollCancelled } from '@suite/proto/hr/v1/events';
import { daysAfter } from '@suite/time-zones';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { deletePostings } from '../payroll-postings/posting.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { enrol, type Enrolment, type PayrollPeriod } from './payroll-members.ts';
import { assertEnrolled, writeOneOffs } from './payroll-one-offs.ts';
import { PeriodLocked } from '../payroll-postings/open-days.ts';
import { payrollStates } from './payroll.rules.ts';
import type { PayrollChanges, PayrollInput } from './payroll.schema.ts';
import { readPayroll } from './payroll.view.ts';

/** Payroll run locked by a command. */
export interface LockedPayroll extends PayrollPeriod {
  title: string;
  frequency: string;
  status: string;
  version: number;
  calculation_no: number;
  settled_at: Date | null;
}

/** Locks a payroll run. @throws NotFound, Stale */
export async function lockPayroll(db: Db, id: string, expect?: number): Promise<LockedPayroll> {
  const [run] = await db.rows<LockedPayroll>(sql`
    SELECT id, title, type, frequency, period_start, period_end, pay_date, branch_id, department_id, excluded_employee_ids,
      currency, status, version, calculation_no, settled_at FROM payrolls WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!run) throw NotFound();
  assertVersion(run, expect);
  return run;
}

/** Maximum length of a period by frequency, in days. */
const DAYS_MAX: Readonly<Record<string, number>> = { monthly: 31, fortnightly: 14, weekly: 7 };

type RunPeriod = Pick<PayrollPeriod, 'period_start' | 'period_end'> & { frequency: string };

/** Checks the period of a run. @throws a 422 fault that names the field */
function assertPeriod({ frequency, period_start, period_end }: RunPeriod): void {
  if (period_end < period_start) throw invalid('period_end', 'The last day must not be before the first day.');
  const most = DAYS_MAX[frequency]!;
  if (period_end >= daysAfter(period_start, most))
    throw invalid('period_end', `A ${frequency} period has at most ${most} days. Choose an earlier end.`);
}

/**
 * Rejects a run that finance could not post, before its preparation. @throws PeriodLocked, with the day and the reason
 */
export async function assertPeriodOpen(rpc: Pick<Rpc, 'finance'>, date: string | undefined): Promise<void> {
  if (date === undefined) return;
  const { open, locked_through, reason } = await rpc.finance.checkPeriodOpen({ date, scope: 'payroll' });
  if (!open) throw PeriodLocked({ locked_through, reason });
}

/**
 * Checks the one-off payments. @throws a 422 if a regular run has one-offs for employees it does not pay, or an
 * off-cycle run has none
 */
function assertPaysSomething(type: string, one_offs: number): void {
  if (type === 'off_cycle' && one_offs === 0)
    throw invalid('one_offs', 'Enter the one-offs and employees: an off-cycle run pays nothing else.');
}

const titleOf = ({ frequency, period_start, period_end }: RunPeriod): string =>
  frequency === 'monthly' ? `Payroll ${period_end.slice(0, 7)}` : `Payroll ${period_start} – ${period_end}`;

/** Checks excluded employees. @throws a 422 for an unknown employee */
async function assertKnown(db: Db, exclude_employee_ids: readonly string[]): Promise<void> {
  if (exclude_employee_ids.length === 0) return;
  const rows = await db.rows<{ id: string }>(sql`
    SELECT id FROM employees WHERE id = ANY(${[...exclude_employee_ids]}::uuid[])`);
  const existing = new Set(rows.map(({ id }) => id));
  const at = exclude_employee_ids.findIndex((id) => !existing.has(id));
  if (at >= 0) throw invalid(`exclude_employee_ids.${at}`, 'Employee not found.');
}

/** Returns the columns of a run that come from the request body. */
const columnsOf = ({ id: _, ...run }: PayrollPeriod & { title: string; frequency: string }) => ({
  ...run,
  excluded_employee_ids: [...run.excluded_employee_ids],
  period_start: new Date(run.period_start),
  period_end: new Date(run.period_end),
  pay_date: new Date(run.pay_date),
});

/**
 * Creates a draft run with a payslip for each employee it pays. Returns its ID.
 * @param body input of a user or of the schedule for automatic drafts
 * @throws PeriodOverlaps, NobodyToPay, a 422 that names the field
 */
export async function draftPayroll(context: Enrolment, body: PayrollInput & { currency: string }): Promise<string> {
  const { scope, one_offs, exclude_employee_ids, title, ...rest } = body;
  assertPeriod(rest);
  assertPaysSomething(rest.type, one_offs.length);
  await assertKnown(context.db, exclude_employee_ids);
  const run = {
    ...rest,
    id: randomUUIDv7(),
    title: title ?? titleOf(rest),
    branch_id: scope.branch_id ?? null,
    department_id: scope.department_id ?? null,
    excluded_employee_ids: [...new Set(exclude_employee_ids)],
  };
  await context.db.payroll.create({ data: { id: run.id, ...columnsOf(run) } });
  await fill(context, run, one_offs);
  return run.id;
}

/** Creates a draft run for a caller. @throws PeriodOverlaps, NobodyToPay, a 422 that names the field */
export async function createPayroll(context: CommandContext, body: PayrollInput) {
  const { db, caller } = context;
  const id = await draftPayroll(context, { ...body, currency: body.currency ?? caller.currency });
  return await readPayroll(db, caller, id);
}

/** Stores the employees and one-offs of a run. */
async function fill(
  context: Enrolment,
  run: PayrollPeriod,
  one_offs: PayrollInput['one_offs'] | undefined,
): Promise<void> {
  const { db } = context;
  if (one_offs) await writeOneOffs(context, run, one_offs);
  const employee_count = await enrol(context, run);
  if (one_offs) await assertEnrolled(db, run.id, one_offs);
  await db.payroll.updateMany({ where: { id: run.id }, data: { employee_count } });
}

/** Deletes the calculated values of a run and makes its payslips pending again. */
export async function deleteCalculatedValues(db: Db, payroll_id: string): Promise<void> {
  const { set, guard } = payslipStates.moving('retry');
  await db.rows(sql`
    UPDATE payroll_entries SET ${set}, failure_code = NULL, failure_message = NULL WHERE payroll_id = ${payroll_id}::uuid AND ${guard}`);
  await db.rows(sql`
    UPDATE payroll_entries SET calculated_at = NULL WHERE payroll_id = ${payroll_id}::uuid AND calculated_at IS NOT NULL`);
  await db.rows(sql`
    UPDATE payrolls SET done = 0, failed = 0, gross = 0, deductions = 0, employer_cost = 0, net = 0, totals_sealed = NULL
    WHERE id = ${payroll_id}::uuid`);
}

/**
 * Updates a run. A calculated run becomes a draft again. @throws InvalidTransition, Stale, PeriodOverlaps, NobodyToPay
 */
export async function changePayroll(
  context: CommandContext,
  id: string,
  { version: _, scope, one_offs, exclude_employee_ids, ...changes }: PayrollChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const before = await lockPayroll(db, id, expect);
  payrollStates.assertFits('update', before, caller);
  const { status, version: __, calculation_no: ___, settled_at: ____, ...kept } = before;
  const run = {
    ...kept,
    ...changes,
    branch_id: scope ? (scope.branch_id ?? null) : kept.branch_id,
    department_id: scope ? (scope.department_id ?? null) : kept.department_id,
    excluded_employee_ids: exclude_employee_ids ? [...new Set(exclude_employee_ids)] : kept.excluded_employee_ids,
  };
  assertPeriod(run);
  if (one_offs) assertPaysSomething(run.type, one_offs.length);
  await assertKnown(db, exclude_employee_ids ?? []);
  // The command has checked a changed period with finance.
  const noted = changes.period_end && { books_locked_through: null };
  await db.payroll.updateMany({ where: { id }, data: { ...columnsOf(run), ...noted } });
  if (status !== 'draft') await payrollStates.move(db.payroll, id, 'reopen', {}, caller);
  await deleteCalculatedValues(db, id);
  await fill(context, run, one_offs);
  return await readPayroll(db, caller, id);
}

/**
 * Deletes a draft with its payslips. @throws InvalidTransition, NotFound, PayrollPending while finance reverses its
 * approval
 */
export async function removePayroll(db: Db, caller: Caller, id: string): Promise<{ id: string }> {
  payrollStates.assertFits('delete', await lockPayroll(db, id), caller);
  await deletePostings(db, id);
  await db.payrollEntry.deleteMany({ where: { payroll_id: id } });
  await db.payroll.deleteMany({ where: { id } });
  return { id };
}

/** Cancels a run and releases its period. @throws InvalidTransition, NotFound, Stale */
export async function cancelPayroll(
  { db, caller, emit }: CommandContext,
  id: string,
  reason: string,
  expect: number | undefined,
) {
  await lockPayroll(db, id, expect);
  if (await payrollStates.move(db.payroll, id, 'cancel', { reason }, caller)) {
    const { set, guard } = payslipStates.moving('cancel');
    await db.rows(sql`UPDATE payroll_entries SET ${set} WHERE payroll_id = ${id}::uuid AND ${guard}`);
    emit(PayrollCancelled, { payroll_id: id, reason });
  }
  return await readPayroll(db, caller, id);
}
