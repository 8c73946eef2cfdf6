/** Approval of a payroll run: finance posts it, and then its payslips become final. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { toBase } from '@suite/money';
import { FormulaFailed } from '../../employment/pay-computation/formula/evaluate.ts';
import { PayrollApproved } from '@suite/proto/hr/v1/events';
import { openEncryption } from '@suite/field-encryption';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { assertDayOpen } from '../payroll-postings/open-days.ts';
import { assignPayrollNumber } from '../payroll-postings/number.ts';
import { type StartedPosting, beginPosting, completePosting } from '../payroll-postings/posting.ts';
import { bookPosting, checkPosting } from '../payroll-postings/posting-step.ts';
import { changedInputs } from '../payroll-run/input-changes.ts';
import type { CalculatedRun } from '../payroll-run/inputs.ts';
import { assertRate, journalInBase } from '../payroll-postings/base-amounts.rules.ts';
import { journalOf, type PayrollJournalLine } from '../payslips/payroll-journal.rules.ts';
import { decryptTotals } from '../payslips/payroll-totals.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { dryRun } from '../../organisation/setup/dry-run.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import { type EncryptedPayslip, settleDebts } from './recoveries.ts';

export const ApproverIsAuthor = fault(
  409,
  'four_eyes',
  'You cannot approve a payroll that you ran. Ask another approver.',
);
export const InputsChanged = fault(
  409,
  'inputs_changed',
  'Employee data in this run has changed. Run the payroll again and check the differences.',
);

/** Payroll run with the data needed for its approval. */
interface ApprovedRun extends CalculatedRun {
  title: string;
  calculation_no: number;
  run_by: string | null;
  net: string;
  totals_sealed: string | null;
}

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  keys: Keys;
  write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

/** Payroll run posted in finance. Without a posting in a dry run, or if nothing needs posting. */
export interface PreparedApproval {
  journal_date: string;
  /** Exchange rate and net pay in base currency. Null for a run in base currency. */
  foreign: { rate: string; base_net: string } | null;
  calculation_no: number;
  journal: PayrollJournalLine[];
  booked: { posting: StartedPosting; journal_id: string } | null;
}

const isApproved = ({ status }: { status: string }): boolean => status === 'approved' || status === 'paid';

const readRun = async (db: Db, id: string): Promise<ApprovedRun> => {
  const [run] = await db.rows<ApprovedRun>(sql`
    SELECT id, title, type, frequency, period_start::text AS period_start, period_end::text AS period_end,
      pay_date::text AS pay_date, currency, settings, calculation_no, run_by, net, totals_sealed
    FROM payrolls WHERE id = ${id}::uuid`);
  return run!;
};

/** Rejects a run whose inputs have changed. @throws InputsChanged */
async function assertUnchanged(context: { db: Db; keys: Pick<Keys, 'master'> }, run: ApprovedRun): Promise<void> {
  const changes = await changedInputs(context, run).catch((error: unknown) => {
    // A formula without a value is reported when the run is calculated again.
    if (error instanceof FormulaFailed) throw InputsChanged({ changes: [] });
    throw error;
  });
  if (changes.length > 0) throw InputsChanged({ changes });
}

/** Checks all conditions that need no call to finance. @returns undefined if the run is already approved */
async function checkApproval({ caller, keys, write }: PrepareContext, id: string, rate: string | undefined) {
  return await write(async (db) => {
    const before = await lockPayroll(db, id);
    if (isApproved(before)) return undefined;
    payrollStates.assertFits('approve', before, caller);
    const run = await readRun(db, id);
    const { four_eyes } = await readSettings(db);
    if (four_eyes && run.run_by === caller.user_id) throw ApproverIsAuthor();
    assertRate(rate, run.currency, caller.currency);
    await assertUnchanged({ db, keys }, run);
    const totals = decryptTotals(await openEncryption(db, keys.master), run);
    return { ...run, journal: journalOf(totals, String(run.net), run.currency) };
  });
}

const sideOf = ({ account_id, role, debit, credit, memo }: PayrollJournalLine) => ({
  account: account_id
    ? { $case: 'account_id' as const, value: account_id }
    : { $case: 'system_role' as const, value: role! },
  debit: Number(debit) === 0 ? '' : debit,
  credit: Number(credit) === 0 ? '' : credit,
  memo,
});

/**
 * Posts a run in finance, before the transaction.
 * @returns undefined if the run is already approved
 * @throws ApproverIsAuthor, InputsChanged, PeriodLocked, PayrollPending, InvalidTransition
 */
export async function prepareApproval(
  context: PrepareContext,
  id: string,
  { journal_date, rate, dry_run }: { journal_date?: string | undefined; rate?: string | undefined; dry_run: boolean },
): Promise<PreparedApproval | undefined> {
  const { caller, rpc, write } = context;
  const run = await checkApproval(context, id, rate);
  if (!run) return undefined;
  const { calculation_no, title, currency, net } = run;
  const base_currency = caller.currency;
  const foreign = rate === undefined ? null : { rate, base_net: toBase(String(net), rate, base_currency) };
  const journal = rate === undefined ? run.journal : journalInBase(run.journal, currency, { rate, base_currency });
  const date = journal_date ?? run.period_end;
  await assertDayOpen(rpc, date);
  const prepared = { journal_date: date, calculation_no, foreign, journal, booked: null };
  if (journal.length === 0) return prepared;
  const beginApproval = async (db: Db) => {
    const locked = await lockPayroll(db, id);
    if (isApproved(locked)) return undefined;
    if (locked.status !== 'calculated' || locked.calculation_no !== calculation_no)
      throw InputsChanged({ changes: [] });
    return await beginPosting(db, caller, {
      payroll_id: id,
      kind: 'approve',
      purpose: `approve.${calculation_no}`,
      date,
      amount: String(run.net),
      base_amount: foreign?.base_net ?? null,
      content: { calculation_no, date, rate: rate ?? null },
    });
  };
  const posting = await (dry_run ? dryRun(write, beginApproval) : write(beginApproval));
  if (!posting) return undefined;
  const texts = { source_type: 'payroll', source_id: id, narration: title.slice(0, 500) };
  const wanted = { date, ...texts, purpose: posting.purpose, lines: journal.map(sideOf) };
  if (dry_run) {
    await checkPosting(rpc, { journal: wanted });
    return prepared;
  }
  const { journal_entry_id } = await bookPosting.ask({ rpc, write }, posting.attempt, { journal: wanted });
  return { ...prepared, booked: { posting, journal_id: journal_entry_id } };
}

/** Makes the payslips of a run final and assigns their numbers. */
async function finalise(db: Db, id: string, journal_date: string): Promise<EncryptedPayslip[]> {
  const payslips = await db.rows<EncryptedPayslip>(sql`
    SELECT id, employee_id, lines_sealed, figures_sealed FROM payroll_entries
    WHERE payroll_id = ${id}::uuid AND status = 'draft' ORDER BY employee_id FOR NO KEY UPDATE`);
  const numbers = await assignPayrollNumber.many(db, 'payslip', journal_date, payslips.length);
  const numbered = JSON.stringify(payslips.map((payslip, at) => ({ id: payslip.id, number: numbers[at] })));
  const { set, guard } = payslipStates.moving('finalise', 'slip');
  await db.rows(sql`
    UPDATE payroll_entries AS slip SET ${set}, number = numbered.number
    FROM jsonb_to_recordset(${numbered}::jsonb) AS numbered (id uuid, number text)
    WHERE slip.id = numbered.id AND ${guard}`);
  return payslips;
}

/**
 * Approves a run that finance has posted. @throws InputsChanged if it has been calculated again since, PayrollPending
 */
export async function completeApproval(
  { db, caller, emit, keys }: CommandContext,
  id: string,
  prepared: PreparedApproval | undefined,
): Promise<void> {
  const run = await lockPayroll(db, id);
  // A concurrent call with the same posting has already approved the run.
  if (!prepared || isApproved(run)) return;
  const { booked, calculation_no, journal_date, foreign } = prepared;
  payrollStates.assertFits('approve', run, caller);
  if (run.calculation_no !== calculation_no) throw InputsChanged({ changes: [] });
  if (booked) await completePosting(db, booked.posting, booked.journal_id);
  const { number } = await assignPayrollNumber(db, 'payroll', journal_date);
  const patch = {
    number,
    approved_by: caller.user_id,
    approved_at: clock.now(),
    journal_date: new Date(journal_date),
    journal_id: booked?.journal_id ?? null,
    ...foreign,
  };
  await payrollStates.move(db.payroll, id, 'approve', patch, caller);
  const payslips = await finalise(db, id, journal_date);
  // Another run or the end of a loan has changed the same debts since.
  await settleDebts({ db, keys }, payslips, run.currency).catch((error: unknown) => {
    throw error instanceof RangeError ? InputsChanged({ changes: [] }) : error;
  });
  const { period_start, period_end, pay_date } = run;
  const employee_count = payslips.length;
  emit(PayrollApproved, { payroll_id: id, number, employee_count, period_start, period_end, pay_date });
}
