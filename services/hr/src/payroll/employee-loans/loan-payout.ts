/**
 * Payout of a loan by finance from a bank account, before the loan is created. Finance reverses the payout if the loan
 * is not created.
 */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import { type Attempt, remoteSteps, stepTable, undoSchedule } from '@suite/saga';
import type { RecordPayoutRequest } from '@suite/proto/finance/v1/finance';
import { type SoleApprover, soleApproverFor } from '../../employment/employment/own-record.ts';
import type { LoanPayoutAttempt } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';
import { paymentSource } from '../payroll-postings/payment-source.ts';
import { assertDayOpen, PAYMENT, TodayLocked } from '../payroll-postings/open-days.ts';
import { dryRun } from '../../organisation/setup/dry-run.ts';
import { LoanPending } from './loan.rules.ts';
import type { EmployeeLoanInput } from './loan.schema.ts';
import { postWaiver } from './loan-waiver.ts';

/** Has finance pay out a loan. The payout is reversed if the loan is not created. */
export const payLoanOut = remoteSteps<Db, Pick<Rpc, 'finance'>>()('hr.pay-loan-out', {
  table: stepTable<LoanPayoutAttempt, 'loan_id'>('loan_payout_attempts', {
    record: 'loan_id',
    attempt: 'attempt',
    states: { requested: 'requested', completed: 'posted', undoing: 'reversing', undone: 'reversed' },
  }),
  pending: LoanPending,
  asks: { service: 'finance', methods: { RecordPayout: {} } },
  key: (id, attempt) => `loan:${id}:${attempt}`,
  lock: (db, { loan_id }) => db.rows(sql`SELECT id FROM employee_loans WHERE id = ${loan_id}::uuid FOR NO KEY UPDATE`),
  ask: ({ rpc, key }, payout: Omit<RecordPayoutRequest, 'idempotency_key' | 'dry_run'>) =>
    rpc.finance.recordPayout({ idempotency_key: key, dry_run: false, ...payout }),
  undo: ({ rpc, key }) => rpc.finance.reversePayout({ idempotency_key: key, date: '' }),
});

/** Payout that finance has posted, for a loan that is about to be created. */
export interface LoanPayout {
  loan_id: string;
  currency: string;
  paid_on: string;
  journal_id: string;
  attempt: Attempt<{ loan_id: string }>;
}
export interface PreparedLoan extends SoleApprover {
  payout: LoanPayout | null;
}

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Rejects loans in a foreign currency, because no exchange rate is available. @throws a 422 */
function assertInBooks(currency: string, base_currency: string): void {
  if (currency === base_currency) return;
  const other = `Lend in ${base_currency}, or leave this field empty and pay the loan another way.`;
  throw invalid('paid_from', `This loan is in ${currency}, but loans are paid out in ${base_currency}. ${other}`);
}

/**
 * Has finance pay out the loan if the request names a bank account and passes all checks.
 * @param check rejects invalid requests, and returns the loan's currency
 * @throws what `check` throws, TodayLocked, a 422 for the account, or if the loan is not in base currency
 */
export async function prepareLoan(
  context: PrepareContext,
  { paid_from, amount }: EmployeeLoanInput,
  { dry_run, check }: { dry_run: boolean; check: (db: Db, alone: SoleApprover) => Promise<string> },
): Promise<PreparedLoan> {
  const { caller, rpc, write } = context;
  const alone = await soleApproverFor('payroll.run')(context);
  const prepared = { ...alone, payout: null };
  if (!paid_from) return prepared;
  const { timezone } = caller;
  const currency = await write((db) => check(db, alone));
  assertInBooks(currency, caller.currency);
  await paymentSource(rpc, paid_from, currency, 'paid_from');
  const paid_on = today(timezone);
  await assertDayOpen(rpc, paid_on, { scopes: PAYMENT, locked: TodayLocked });
  const columns = { loan_id: randomUUIDv7() };
  const beginPayout = async (db: Db) => {
    await check(db, alone);
    return await payLoanOut.begin(db, { caller }, columns);
  };
  const attempt = await (dry_run ? dryRun(write, beginPayout) : write(beginPayout));
  const payout = {
    date: paid_on,
    source_type: 'payroll_loan',
    source_id: columns.loan_id,
    purpose: 'pay',
    // Ledger and bank statement must not name the borrower.
    narration: 'Loan to an employee',
    bank_account_id: paid_from,
    system_role: 'employee_advances',
    amount,
    currency,
    base_amount: '',
    counterparty: '',
    reference: '',
  };
  if (dry_run) {
    await rpc.finance.recordPayout({ ...payout, idempotency_key: randomUUIDv7(), dry_run });
    return prepared;
  }
  const { journal_entry_id: journal_id } = await payLoanOut.ask({ rpc, write }, attempt, payout);
  return { ...alone, payout: { ...columns, currency, paid_on, journal_id, attempt } };
}

/** Short interval, so that money paid out without a loan, and amounts waived without a cancellation, are soon reversed. */
const INTERVAL_MS = 3_000;

export const {
  findOpen: findOpenPayouts,
  finish: finishPayouts,
  schedule: finishOpenPayouts,
} = undoSchedule('hr.finish-loan-payouts', INTERVAL_MS, [payLoanOut, postWaiver]);
