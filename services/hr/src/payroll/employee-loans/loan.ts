/** Creates loans, deducts their instalments from payslips, and ends them. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { type Fault, invalid, NotFound } from '@suite/chassis/faults';
import type { Keys } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { compare, minorUnits } from '@suite/money';
import { openEncryption, openDecryption, type FieldCipher } from '@suite/field-encryption';
import { assertNotLeft, lockEmployee } from '../../employment/employment/employment.ts';
import { type RecordContext, assertNotOwn } from '../../employment/employment/own-record.ts';
import { salaryCipherLocation } from '../../employment/employment/salary-cipher-location.ts';
import { salariesOn } from '../../employment/employment/employment-terms.ts';
import type { CommandContext, Db } from '../../operations.ts';
import {
  assertAmounts,
  assertFirstPeriod,
  refundAmount,
  outstandingAfter,
  LoanPending,
  loanStates,
} from './loan.rules.ts';
import { type LoanPayout, payLoanOut } from './loan-payout.ts';
import { type PreparedCancellation, postWaiver } from './loan-waiver.ts';
import type { EmployeeLoanInput, LoanCancellation } from './loan.schema.ts';
import { type AmountName, loanCipherLocation } from './loan.view.ts';

interface LoanContext extends RecordContext {
  db: Db;
  keys: Pick<Keys, 'master'>;
}

/**
 * Returns the currency of a loan: the requested one, else the currency of the salary on its first day. Without a salary
 * it is the workspace currency.
 */
async function currencyOf({ db, caller, keys }: LoanContext, input: EmployeeLoanInput): Promise<string> {
  const { currency, employee_id, first_period } = input;
  if (currency) return currency;
  const [held] = await salariesOn(db, [employee_id], first_period);
  if (!held) return caller.currency;
  const cipher = await openDecryption(db, keys.master);
  const salary = JSON.parse(cipher.open(salaryCipherLocation(held.row_id), held.sealed)) as { currency: string };
  return salary.currency;
}

/**
 * Rejects a loan that cannot be created. @returns the currency of the loan
 * @throws OwnRecord, EmploymentEnded, FirstPeriodOutOfRange, a 422 fault
 */
export async function assertLendable(lending: LoanContext, input: EmployeeLoanInput): Promise<string> {
  const { db, caller, prepared } = lending;
  const { employee_id, first_period } = input;
  if ((await db.employee.count({ where: { id: employee_id } })) === 0)
    throw invalid('employee_id', 'Employee not found.');
  const employee = await lockEmployee(db, employee_id);
  assertNotOwn({ caller, ...(prepared && { prepared }) }, employee);
  assertNotLeft(employee);
  assertFirstPeriod(first_period, employee.joining_date, today(caller.timezone));
  const currency = await currencyOf(lending, input);
  assertAmounts(input, minorUnits(currency));
  return currency;
}

/**
 * Creates a loan that is repaid through payslips. @returns the ID of the loan
 * @param payout payout by finance, if a bank account was named
 * @throws OwnRecord, EmploymentEnded, FirstPeriodOutOfRange, LoanPending if finance is reversing the payout, a 422
 */
export async function createLoan(
  context: CommandContext & RecordContext,
  input: EmployeeLoanInput,
  payout: LoanPayout | null,
): Promise<string> {
  const { db, keys } = context;
  const { employee_id, amount, instalment, first_period, paid_from } = input;
  const currency = await assertLendable(context, payout ? { ...input, currency: payout.currency } : input);
  if (payout) await payLoanOut.complete(db, payout.attempt);
  const cipher = await openEncryption(db, keys.master);
  const id = payout?.loan_id ?? randomUUIDv7();
  const encrypt = (name: AmountName, text: string) => cipher.seal(loanCipherLocation(id, name), text);
  const paid = payout && { paid_on: new Date(payout.paid_on), journal_id: payout.journal_id };
  await db.employeeLoan.create({
    data: {
      id,
      employee_id,
      currency,
      first_period: new Date(first_period),
      paid_from: paid_from ?? null,
      ...paid,
      amount_sealed: encrypt('amount', amount),
      instalment_sealed: encrypt('instalment', instalment),
      left_sealed: encrypt('left', amount),
    },
  });
  return id;
}

interface LockedLoan {
  id: string;
  employee_id: string;
  status: string;
  amount: string;
  left: string;
}

/** Locks loans in the order of their IDs, to prevent deadlocks. */
async function lockLoans(db: Db, cipher: Pick<FieldCipher, 'open'>, ids: readonly string[]): Promise<LockedLoan[]> {
  const rows = await db.rows<
    Omit<LockedLoan, 'amount' | 'left'> & { amount_sealed: string; left_sealed: string | null }
  >(sql`
    SELECT id, employee_id, status, amount_sealed, left_sealed FROM employee_loans
    WHERE id = ANY(${ids}::uuid[]) ORDER BY id FOR UPDATE`);
  return rows.map(({ amount_sealed, left_sealed, ...row }) => {
    const amount = cipher.open(loanCipherLocation(row.id, 'amount'), amount_sealed);
    return {
      ...row,
      amount,
      left: left_sealed ? cipher.open(loanCipherLocation(row.id, 'left'), left_sealed) : amount,
    };
  });
}

/** Amount that a payslip deducts for a loan. Negative for the refund of a reversed payslip. */
export interface Instalment {
  loan_id: string;
  amount: string;
}

/** Records the outstanding amount of a loan as a recovery, to be deducted from the employee's next payslips. */
async function recoverOutstanding(
  db: Db,
  cipher: FieldCipher,
  { id: loan_id, employee_id, left }: LockedLoan,
): Promise<void> {
  const id = randomUUIDv7();
  const encrypt = (column: string) => cipher.seal({ table: 'recoveries', column, id }, left);
  const amounts = { amount_sealed: encrypt('amount_sealed'), left_sealed: encrypt('left_sealed') };
  await db.recovery.create({ data: { id, employee_id, loan_id, ...amounts } });
}

/**
 * Applies deductions and refunds of final payslips to loans. A fully repaid loan is settled, and open again after a
 * refund. A refund to a cancelled loan becomes a separate recovery.
 * @throws RangeError if a deduction exceeds the outstanding amount
 */
export async function applyInstalments(
  db: Db,
  { keys }: Pick<CommandContext, 'keys'>,
  instalments: readonly Instalment[],
): Promise<void> {
  if (instalments.length === 0) return;
  const cipher = await openEncryption(db, keys.master);
  const loans = await lockLoans(
    db,
    cipher,
    instalments.map(({ loan_id }) => loan_id),
  );
  const rows = [];
  for (const loan of loans) {
    const own = instalments.filter(({ loan_id }) => loan_id === loan.id);
    const left = own.reduce(
      (rest, { amount }) => outstandingAfter({ amount: loan.amount, left: rest }, amount),
      loan.left,
    );
    if (loan.status === 'cancelled')
      await recoverOutstanding(db, cipher, { ...loan, left: refundAmount(loan.left, left) });
    else
      rows.push({
        id: loan.id,
        left_sealed: cipher.seal(loanCipherLocation(loan.id, 'left'), left),
        open: Number(left) > 0,
      });
  }
  const { set, guard } = loanStates.deriving(sql`CASE WHEN taken.open THEN 'open' ELSE 'settled' END`, 'loans');
  const all = sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS taken (id uuid, left_sealed text, open boolean)`;
  await db.rows(
    sql`UPDATE employee_loans AS loans SET left_sealed = taken.left_sealed FROM ${all} WHERE loans.id = taken.id`,
  );
  await db.rows(sql`UPDATE employee_loans AS loans SET ${set} FROM ${all} WHERE loans.id = taken.id AND ${guard}`);
}

/** Locks a loan with its employee, for a command on the loan. @throws NotFound, OwnRecord */
async function lockLoan(
  context: LoanContext,
  id: string,
): Promise<LockedLoan & { isPosted: boolean; cipher: FieldCipher }> {
  const { db, keys } = context;
  const { employee_id, journal_id } = (await db.employeeLoan.findFirst({ where: { id } })) ?? {};
  if (!employee_id) throw NotFound();
  assertNotOwn(context, await lockEmployee(db, employee_id));
  const cipher = await openEncryption(db, keys.master);
  const [loan] = await lockLoans(db, cipher, [id]);
  return { ...loan!, isPosted: journal_id !== null, cipher };
}

/**
 * Returns the amount that finance must post if this loan is waived. Chosen: null for a loan that was paid outside the
 * suite, because finance has no entry of its payout. Also null for a loan that is not open.
 * @throws NotFound, OwnRecord
 */
export async function waivableOf(context: LoanContext, id: string): Promise<string | null> {
  const { isPosted, status, left } = await lockLoan(context, id);
  return isPosted && status === 'open' && Number(left) > 0 ? left : null;
}

/**
 * Cancels a loan. No further instalments are deducted. The outstanding amount becomes a recovery or is waived.
 * @returns LoanPending if a payslip has repaid some of the loan since its waiver was posted, which is then reversed
 * @throws NotFound, OwnRecord, InvalidTransition for a repaid loan
 */
export async function cancelLoan(
  context: CommandContext & { prepared: PreparedCancellation },
  id: string,
  { rest, reason }: LoanCancellation,
): Promise<Fault | undefined> {
  const { db, caller, prepared } = context;
  const { cipher, ...loan } = await lockLoan(context, id);
  const { waiver } = prepared;
  if (waiver && loan.status !== 'cancelled' && compare(loan.left, waiver.amount) !== 0) {
    await postWaiver.undoLater(db, id);
    return LoanPending();
  }
  const waiver_journal_id = waiver?.journal_id || null;
  const changes = { reason: reason ?? null, waiver_journal_id };
  if (!(await loanStates.move(db.employeeLoan, id, 'cancel', changes, caller))) return undefined;
  if (waiver) await postWaiver.complete(db, waiver.attempt);
  if (rest === 'recover') await recoverOutstanding(db, cipher, loan);
  return undefined;
}
