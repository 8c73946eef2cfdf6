/**
 * Payment of payslips. Finance withdraws the money from a bank account in one transaction. Then the payslips are marked
 * as paid.
 */
import { sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import { roundTo } from '@suite/money';
import { PayrollPaid } from '@suite/proto/hr/v1/events';
import { openDecryption } from '@suite/field-encryption';
import { daysAfter } from '@suite/time-zones';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { assertDayOpen, PAYMENT } from '../payroll-postings/open-days.ts';
import { type StartedPosting, beginPosting, completePosting } from '../payroll-postings/posting.ts';
import { paymentSource } from '../payroll-postings/payment-source.ts';
import { bookPosting, checkPosting } from '../payroll-postings/posting-step.ts';
import { type PaidAmounts, paymentInBase } from '../payroll-postings/base-amounts.rules.ts';
import type { PayrollJournalLine } from '../payslips/payroll-journal.rules.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { PaymentDateOutOfRange, payrollStates } from '../payrolls/payroll.rules.ts';
import { payslipStates } from '../payslips/payslip.rules.ts';
import { dryRun } from '../../organisation/setup/dry-run.ts';
import { isZeroPayment, updateSettledFlag, type PayablePayslip, payablePayslips, payableTotal } from './payable.ts';
import type { PayrollPayment } from './payroll-payment.schema.ts';

/** Maximum number of days between today and the payment date. */
const DAYS_AHEAD = 7;

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  keys: Pick<Keys, 'master'>;
  write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

/** Payment made by finance. Without a posting in a dry run, and if all amounts are zero. */
export interface PreparedPayment {
  slip_ids: string[];
  /** True if the payment covers all payslips of the run. */
  pays_run: boolean;
  amount: string;
  journal: PayrollJournalLine[];
  booked: { posting: StartedPosting; journal_id: string } | null;
}

interface DuePayment {
  number: string;
  currency: string;
  rate: string | null;
  employee_count: number;
  payslips: PayablePayslip[];
}

/** Returns the payslips to pay, with their run locked. @throws InvalidTransition, PayslipWithheld, AlreadyPaid */
async function findDue(
  { caller, keys }: PrepareContext,
  db: Db,
  id: string,
  body: PayrollPayment,
): Promise<DuePayment> {
  const run = await lockPayroll(db, id);
  // A repeated call for a paid run has no effect.
  const isSettled = run.status === 'paid' && run.settled_at !== null;
  if (!isSettled) payrollStates.assertFits('pay', run, caller);
  const [stored] = await db.rows<Omit<DuePayment, 'currency' | 'payslips'> & { earliest: string }>(sql`
    SELECT number, rate::text AS rate, employee_count, period_start::text AS earliest FROM payrolls WHERE id = ${id}::uuid`);
  const { earliest } = stored!;
  const latest = daysAfter(today(caller.timezone), DAYS_AHEAD);
  // Chosen: a payment can be dated at most a week ahead, so that no bank transaction is far in the future.
  if (!isSettled && (body.paid_on < earliest || body.paid_on > latest)) {
    const { status, code, text } = PaymentDateOutOfRange;
    throw new Fault(status, code, text, { errors: { paid_on: [text] }, details: { earliest, latest } });
  }
  const payslips = await payablePayslips(db, await openDecryption(db, keys.master), id, body.payroll_entry_ids);
  return { ...stored!, currency: run.currency, payslips };
}

/** Payment about to be requested from finance. @property base_amount empty for a run in base currency */
interface StartedPayment {
  posting: StartedPosting;
  amount: string;
  base_amount: string;
  slip_ids: string[];
}

const zeroAmount = (currency: string) => payableTotal([], currency);
const journalOfPayment = (amount: string, gl_account_id: string, currency: string): PayrollJournalLine[] => [
  { account_id: null, role: 'salaries_payable', memo: 'Net pay', debit: amount, credit: zeroAmount(currency) },
  { account_id: gl_account_id, role: null, memo: 'Net pay', debit: zeroAmount(currency), credit: amount },
];

/** Returns the total of previous payments of a run, in its currency and in base currency. */
async function totalPaid(db: Db, id: string): Promise<PaidAmounts & { times: number }> {
  const [before] = await db.rows<PaidAmounts & { times: number }>(sql`
    SELECT count(*)::int AS times, coalesce(sum(amount) FILTER (WHERE journal_id IS NOT NULL), 0)::text AS amount,
      coalesce(sum(base_amount) FILTER (WHERE journal_id IS NOT NULL), 0)::text AS base
    FROM payroll_postings WHERE payroll_id = ${id}::uuid AND kind = 'pay'`);
  return before!;
}

/** Records a payment with its payslips, or joins an identical pending payment. */
async function beginPayment(
  context: PrepareContext,
  db: Db,
  id: string,
  body: PayrollPayment,
): Promise<StartedPayment | undefined> {
  const { payslips, currency, rate } = await findDue(context, db, id, body);
  const paying = payslips.filter((payslip) => !isZeroPayment(payslip));
  if (paying.length === 0) return undefined;
  const { bank_account_id, paid_on, method, payroll_entry_ids } = body;
  const before = await totalPaid(db, id);
  const due = payableTotal(paying, currency);
  const posting = await beginPosting(db, context.caller, {
    payroll_id: id,
    kind: 'pay',
    purpose: `pay.${before.times + 1}`,
    date: paid_on,
    bank_account_id,
    method,
    amount: due,
    base_amount: rate && paymentInBase(before, due, currency, { rate, base_currency: context.caller.currency }),
    content: { bank_account_id, paid_on, method, payroll_entry_ids: payroll_entry_ids?.toSorted() ?? null },
  });
  const ids = paying.map((payslip) => payslip.id);
  if (!posting.shared) {
    await db.rows(sql`
      UPDATE payroll_entries SET payment_id = ${posting.id}::uuid WHERE id = ANY(${ids}::uuid[]) AND status = 'finalised'`);
  }
  const [recorded] = await db.rows<{ amount: string; base_amount: string | null; slip_ids: string[] }>(sql`
    SELECT amount, base_amount::text AS base_amount, ARRAY(SELECT slip.id::text FROM payroll_entries AS slip WHERE slip.payment_id = posting.id) AS slip_ids
    FROM payroll_postings AS posting WHERE id = ${posting.id}::uuid`);
  const { slip_ids, base_amount } = recorded!;
  const amount = payableTotal([{ net: String(recorded!.amount) } as PayablePayslip], currency);
  return { posting, amount, base_amount: base_amount ? roundTo(base_amount, context.caller.currency) : '', slip_ids };
}

/**
 * Has finance make a payment before the transaction.
 * @returns undefined if no payslip remains to be paid
 * @throws PeriodLocked, PayrollPending, InvalidTransition, PayslipWithheld, AlreadyPaid, a 422 for the bank account
 */
export async function preparePayment(
  context: PrepareContext,
  id: string,
  body: PayrollPayment,
  dry_run: boolean,
): Promise<PreparedPayment | undefined> {
  const { rpc, write } = context;
  const { number, currency, employee_count, payslips } = await write((db) => findDue(context, db, id, body));
  if (payslips.length === 0) return undefined;
  const source = await paymentSource(rpc, body.bank_account_id, currency);
  const paying = payslips.filter((payslip) => !isZeroPayment(payslip));
  const amount = payableTotal(paying, currency);
  const pays_run = payslips.length === employee_count;
  const all = { slip_ids: paying.map((payslip) => payslip.id), pays_run, amount, journal: [], booked: null };
  if (paying.length === 0) return all;
  await assertDayOpen(rpc, body.paid_on, { scopes: PAYMENT });
  const begin = (db: Db) => beginPayment(context, db, id, body);
  const begun = await (dry_run ? dryRun(write, begin) : write(begin));
  // Another call has paid these payslips since.
  if (!begun) return undefined;
  const payout = {
    date: body.paid_on,
    source_type: 'payroll',
    source_id: id,
    purpose: begun.posting.purpose,
    narration: `${number} paid`,
    bank_account_id: body.bank_account_id,
    system_role: 'salaries_payable',
    amount: begun.amount,
    currency,
    base_amount: begun.base_amount,
    counterparty: '',
    reference: number,
  };
  if (dry_run) {
    await checkPosting(rpc, { payout });
    return { ...all, journal: journalOfPayment(amount, source.gl_account_id, currency) };
  }
  const { journal_entry_id: journal_id } = await bookPosting.ask({ rpc, write }, begun.posting.attempt, { payout });
  const journal = journalOfPayment(begun.amount, source.gl_account_id, currency);
  const booked = { posting: begun.posting, journal_id };
  return { ...all, slip_ids: begun.slip_ids, amount: begun.amount, journal, booked };
}

/** Marks payslips as paid. Returns their number. */
async function markPaid(db: Db, ids: readonly string[], paid_on: string): Promise<number> {
  const { set, guard } = payslipStates.moving('pay');
  const rows = await db.rows(sql`
    UPDATE payroll_entries SET ${set}, paid_on = ${paid_on}::date WHERE id = ANY(${ids}::uuid[]) AND ${guard} RETURNING id`);
  return rows.length;
}

/** Marks the run and its payslips with zero net pay as paid, once only withheld payslips remain. */
async function settleRun(
  { db, caller, keys }: Pick<CommandContext, 'db' | 'caller' | 'keys'>,
  { id, status }: { id: string; status: string },
  paid_on: string,
): Promise<boolean> {
  const left = await payablePayslips(db, await openDecryption(db, keys.master), id);
  if (!left.every(isZeroPayment)) return false;
  await markPaid(
    db,
    left.map((payslip) => payslip.id),
    paid_on,
  );
  if (status === 'approved') await payrollStates.move(db.payroll, id, 'settle', { paid_at: clock.now() }, caller);
  await updateSettledFlag(db, id);
  return true;
}

/** Marks payslips as paid that finance has paid. @throws PayrollPending if the payment has been reversed since */
export async function completePayment(
  context: CommandContext,
  id: string,
  { prepared, paid_on }: { prepared: PreparedPayment | undefined; paid_on: string },
): Promise<void> {
  const { db, emit, caller } = context;
  const run = await lockPayroll(db, id);
  if (!prepared) return;
  const { booked, slip_ids } = prepared;
  if (booked && !(await completePosting(db, booked.posting, booked.journal_id))) return;
  payrollStates.assertFits('pay', run, caller);
  const payslip_count = await markPaid(db, slip_ids, paid_on);
  const complete = await settleRun(context, run, paid_on);
  const [numbered] = await db.rows<{ number: string }>(sql`SELECT number FROM payrolls WHERE id = ${id}::uuid`);
  emit(PayrollPaid, { payroll_id: id, number: numbered!.number, paid_on, payslip_count, complete });
}
