/** Reversal of an approved payroll run, by reversing entries in finance. Effects of its payslips are undone as well. */
import { sql } from '@suite/chassis/database';
import { Fault, fault, invalid } from '@suite/chassis/faults';
import type { Caller, Keys } from '@suite/chassis/identity';
import { isZero, sum, toBase } from '@suite/money';
import { PayrollReversed } from '@suite/proto/hr/v1/events';
import { openEncryption, openDecryption } from '@suite/field-encryption';
import type { CommandContext, Db, Rpc } from '../../operations.ts';
import { addRecoveries, type EncryptedPayslip, reopenDebts } from '../payroll-approval/recoveries.ts';
import type { PayrollReversalInput } from '../payroll-approval/payroll-approval.schema.ts';
import { assertDayOpen, firstOpenDay, PAYMENT } from '../payroll-postings/open-days.ts';
import {
  assertNothingOpen,
  type StartedPosting,
  beginPosting,
  completePosting,
  type OfficialPosting,
  officialPostings,
  reverseLater,
} from '../payroll-postings/posting.ts';
import { bookPosting, checkPosting, PayrollPending, Reconciled } from '../payroll-postings/posting-step.ts';
import { lockPayroll } from '../payrolls/payroll.ts';
import { payrollStates } from '../payrolls/payroll.rules.ts';
import { decryptPart } from '../payslips/payslip-encryption.ts';
import { dryRun } from '../../organisation/setup/dry-run.ts';
import { FINAL, payslipStates } from '../payslips/payslip.rules.ts';

export const LaterRun = fault(
  409,
  'later_run',
  'A later payroll run that depends on this one is approved. Reverse the later run first.',
);

export const BeforeEntry = fault(
  422,
  'before_entry',
  'A payroll cannot be reversed before the day of its journal entries. Choose a later date.',
);

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  keys: Pick<Keys, 'master'>;
  write: <T>(work: (db: Db) => Promise<T>) => Promise<T>;
}

/** Parts of a run to reverse. */
interface ReversalParts {
  number: string;
  currency: string;
  postings: OfficialPosting[];
  paid: string;
  /** Amount in the workspace currency. */
  worth: string;
}

/** Posting to reverse, with the date of its reversal. */
interface ReversedPosting extends OfficialPosting {
  day: string;
}

/** Run that finance can reverse. The recoverable amounts are already posted. */
export interface PreparedReversal {
  reversed: ReversedPosting[];
  /** Amount paid to employees when finance was asked. */
  paid: string;
  booked: { posting: StartedPosting; journal_id: string } | null;
}

/** Rejects the reversal if a later run of any of its employees is approved. @throws LaterRun */
async function assertLast(db: Db, id: string): Promise<void> {
  const rows = await db.rows<{ payroll_id: string }>(sql`
    SELECT DISTINCT later.payroll_id FROM payroll_entries AS own
    JOIN payroll_entries AS later ON later.employee_id = own.employee_id AND later.payroll_id <> own.payroll_id
      AND later.status = ANY(${[...FINAL]}::text[])
    JOIN payrolls AS run ON run.id = own.payroll_id
    JOIN payrolls AS later_run ON later_run.id = later.payroll_id AND later_run.approved_at > run.approved_at
    WHERE own.payroll_id = ${id}::uuid LIMIT 100`);
  if (rows.length > 0) throw LaterRun({ payroll_ids: rows.map(({ payroll_id }) => payroll_id) });
}

const finalPayslips = (db: Db, id: string) =>
  db.rows<EncryptedPayslip & { status: string }>(sql`
    SELECT id, employee_id, status, lines_sealed, figures_sealed FROM payroll_entries
    WHERE payroll_id = ${id}::uuid AND status = ANY(${[...FINAL]}::text[]) ORDER BY employee_id FOR NO KEY UPDATE`);

/** Returns the net pay of the paid payslips, by employee. */
async function paidPayslips(
  { db, keys }: { db: Db; keys: Pick<Keys, 'master'> },
  payslips: readonly (EncryptedPayslip & { status: string })[],
) {
  const cipher = await openDecryption(db, keys.master);
  return payslips
    .filter(({ status }) => status === 'paid')
    .map((payslip) => ({
      employee_id: payslip.employee_id,
      entry_id: payslip.id,
      code: null,
      amount: decryptPart(cipher, payslip, 'figures')!.net,
    }))
    .filter(({ amount }) => !isZero(amount));
}

/** Checks the handling of money already paid. @throws a 422 if it is missing, or given although no money was paid */
function assertMoney(paid: string, { money }: PayrollReversalInput): void {
  if (isZero(paid) && money) throw invalid('money', 'No employee has been paid yet. Omit this field.');
  if (!isZero(paid) && !money) throw invalid('money', 'Choose whether the money was returned or will be recovered.');
}

/** Returns the postings of a locked run that a reversal reverses, and the amount paid to its employees. */
async function effectsOf(
  tools: { db: Db; keys: Pick<Keys, 'master'> },
  { id, currency }: { id: string; currency: string },
  { money }: PayrollReversalInput,
): Promise<Pick<ReversalParts, 'postings' | 'paid'>> {
  const { db } = tools;
  const paid = sum(
    (await paidPayslips(tools, await finalPayslips(db, id))).map(({ amount }) => amount),
    currency,
  );
  const postings = (await officialPostings(db, id)).filter(
    ({ kind }) => kind === 'approve' || (kind === 'pay' && money === 'returned'),
  );
  return { paid, postings };
}

/** Checks all conditions that need no call to finance. @throws InvalidTransition, LaterRun */
async function checkReversal({ caller, keys, write }: PrepareContext, id: string, body: PayrollReversalInput) {
  return await write(async (db): Promise<ReversalParts | undefined> => {
    const run = await lockPayroll(db, id);
    if (run.status === 'reversed') return undefined;
    payrollStates.assertFits('reverse', run, caller);
    await assertLast(db, id);
    const { paid, postings } = await effectsOf({ db, keys }, { id, currency: run.currency }, body);
    assertMoney(paid, body);
    const [numbered] = await db.rows<{ number: string; rate: string | null }>(sql`
      SELECT number, rate::text AS rate FROM payrolls WHERE id = ${id}::uuid`);
    const { number, rate } = numbered!;
    const worth = rate ? toBase(paid, rate, caller.currency) : paid;
    return { number, currency: run.currency, postings, paid, worth };
  });
}

/** Rejects a day before one of the entries, because a reversal cannot precede its entry. @throws BeforeEntry */
function assertNotBefore(requestedDate: string, postings: readonly OfficialPosting[]): void {
  const earliest = postings.reduce((last, { date }) => (date > last ? date : last), '');
  if (requestedDate >= earliest) return;
  const { status, code, text } = BeforeEntry;
  const errors = {
    journal_date: [`The last entry of this payroll is dated ${earliest}. Choose that day or a later one.`],
  };
  throw new Fault(status, code, text, { errors, details: { earliest } });
}

/** Returns the postings with their reversal dates. @throws BeforeEntry, PeriodLocked, Reconciled */
async function datesOf(
  rpc: Rpc,
  { postings }: ReversalParts,
  requestedDate: string | undefined,
): Promise<ReversedPosting[]> {
  if (requestedDate) assertNotBefore(requestedDate, postings);
  const { refusals } = await rpc.finance.checkReversal({
    journal_entry_ids: postings.map(({ journal_id }) => journal_id),
  });
  const confirmed = refusals.filter(({ reason }) => reason === 'reconciled');
  if (confirmed.length > 0) throw Reconciled({ journal_ids: confirmed.map(({ journal_entry_id: id }) => id) });
  const scopesOf = ({ kind }: Pick<ReversedPosting, 'kind'>) => (kind === 'pay' ? PAYMENT : undefined);
  const reversed = [];
  for (const posting of postings) {
    if (requestedDate) await assertDayOpen(rpc, requestedDate, { scopes: scopesOf(posting) });
    reversed.push({ ...posting, day: requestedDate ?? (await firstOpenDay(rpc, posting.date, scopesOf(posting))) });
  }
  return reversed;
}

/** Posts the paid amounts in finance as debts of the employees. */
async function postRecovery(
  { caller, rpc, write }: PrepareContext,
  id: string,
  { number, paid, date, worth }: Pick<ReversalParts, 'number' | 'paid' | 'worth'> & { date: string },
  dry_run: boolean,
): Promise<PreparedReversal['booked']> {
  const beginRecovery = async (db: Db) => {
    payrollStates.assertFits('reverse', await lockPayroll(db, id), caller);
    const content = { date, paid };
    const new_posting = { payroll_id: id, kind: 'recover' as const, purpose: 'recover.1', date, amount: paid, content };
    return await beginPosting(db, caller, new_posting);
  };
  const posting = await (dry_run ? dryRun(write, beginRecovery) : write(beginRecovery));
  const line = (value: string, debit: string, credit: string) => ({
    account: { $case: 'system_role' as const, value },
    debit,
    credit,
    memo: 'Net pay to recover',
  });
  const journal = {
    date,
    source_type: 'payroll',
    source_id: id,
    purpose: posting.purpose,
    narration: `${number} reversed, to be recovered`,
    lines: [line('employee_advances', worth, ''), line('salaries_payable', '', worth)],
  };
  if (dry_run) {
    await checkPosting(rpc, { journal });
    return null;
  }
  const { journal_entry_id: journal_id } = await bookPosting.ask({ rpc, write }, posting.attempt, { journal });
  return { posting, journal_id };
}

/**
 * Checks that finance can reverse a run and posts recoverable amounts, before the transaction.
 * @returns undefined if the run is already reversed
 * @throws InvalidTransition, LaterRun, BeforeEntry, PeriodLocked, Reconciled, PayrollPending
 */
export async function prepareReversal(
  context: PrepareContext,
  id: string,
  body: PayrollReversalInput,
  dry_run: boolean,
): Promise<PreparedReversal | undefined> {
  const { rpc } = context;
  const taken = await checkReversal(context, id, body);
  if (!taken) return undefined;
  const reversed = await datesOf(rpc, taken, body.journal_date);
  const isOwed = body.money === 'to_recover';
  const date = reversed.find(({ kind }) => kind === 'approve')?.day ?? body.journal_date;
  const booked = isOwed && date ? await postRecovery(context, id, { ...taken, date }, dry_run) : null;
  return { reversed, paid: taken.paid, booked };
}

/**
 * Reverses a run. The sweeper then has finance reverse the entries. Until then they are listed in `pending_effects`.
 * @throws LaterRun, PayrollPending while finance is making another posting of this run, or if it has made one since
 */
export async function completeReversal(
  context: CommandContext,
  id: string,
  { prepared, body }: { prepared: PreparedReversal | undefined; body: PayrollReversalInput },
): Promise<void> {
  const { db, caller, emit, keys } = context;
  const run = await lockPayroll(db, id);
  if (!prepared || run.status === 'reversed') return;
  payrollStates.assertFits('reverse', run, caller);
  await assertLast(db, id);
  const { reversed, booked } = prepared;
  const present = await effectsOf({ db, keys }, { id, currency: run.currency }, body);
  const isSame = present.paid === prepared.paid && present.postings.length === reversed.length;
  // A payment made since finance was asked would neither be reversed nor become a debt.
  if (!isSame) throw PayrollPending();
  if (booked) await completePosting(db, booked.posting, booked.journal_id);
  await assertNothingOpen(db, id);
  const payslips = await finalPayslips(db, id);
  const debts = body.money === 'to_recover' ? await paidPayslips(context, payslips) : [];
  await payrollStates.move(db.payroll, id, 'reverse', { reason: body.reason }, caller);
  const { set, guard } = payslipStates.moving('reverse');
  await db.rows(sql`UPDATE payroll_entries SET ${set} WHERE payroll_id = ${id}::uuid AND ${guard}`);
  await reopenDebts(context, payslips, run.currency);
  await addRecoveries(db, await openEncryption(db, keys.master), debts);
  for (const { id: posting_id, day } of reversed) await reverseLater(db, posting_id, day);
  const [numbered] = await db.rows<{ number: string }>(sql`SELECT number FROM payrolls WHERE id = ${id}::uuid`);
  emit(PayrollReversed, { payroll_id: id, number: numbered!.number, money: body.money ?? '' });
}
