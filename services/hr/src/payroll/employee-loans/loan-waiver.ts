/**
 * Entry of finance for a waived loan, before the loan is cancelled: the amount moves from the advances to employees to
 * the salary expenses. Finance reverses the entry if the loan is not cancelled.
 */
import { sql } from '@suite/chassis/database';
import type { Caller, Keys } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { PostJournalRequest } from '@suite/proto/finance/v1/finance';
import { type Attempt, remoteSteps, stepTable } from '@suite/saga';
import { type SoleApprover, soleApproverFor } from '../../employment/employment/own-record.ts';
import type { LoanWaiverAttempt } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';
import { dryRun } from '../../organisation/setup/dry-run.ts';
import { assertDayOpen, TodayLocked } from '../payroll-postings/open-days.ts';
import { LoanPending } from './loan.rules.ts';
import type { LoanCancellation } from './loan.schema.ts';

/** Has finance post the waived amount of a loan. The entry is reversed if the loan is not cancelled. */
export const postWaiver = remoteSteps<Db, Pick<Rpc, 'finance'>>()('hr.post-loan-waiver', {
  table: stepTable<LoanWaiverAttempt, 'loan_id'>('loan_waiver_attempts', {
    record: 'loan_id',
    attempt: 'attempt',
    states: { requested: 'requested', completed: 'posted', undoing: 'reversing', undone: 'reversed' },
  }),
  pending: LoanPending,
  asks: { service: 'finance', methods: { PostJournal: {} } },
  key: (id, attempt) => `loan-waiver:${id}:${attempt}`,
  lock: (db, { loan_id }) => db.rows(sql`SELECT id FROM employee_loans WHERE id = ${loan_id}::uuid FOR NO KEY UPDATE`),
  ask: ({ rpc, key, dry_run }, journal: Omit<PostJournalRequest, 'idempotency_key' | 'dry_run'>) =>
    rpc.finance.postJournal({ idempotency_key: key, dry_run, ...journal }),
  undo: ({ rpc, key }) => rpc.finance.reverseJournal({ idempotency_key: key, date: '' }),
});

/** Waived amount that finance has posted, for a loan that is about to be cancelled. */
export interface LoanWaiver {
  amount: string;
  journal_id: string;
  attempt: Attempt<{ loan_id: string }>;
}

/** Facts of a cancellation that are determined before its transaction. */
export interface PreparedCancellation extends SoleApprover {
  waiver: LoanWaiver | null;
}

interface PrepareContext {
  caller: Caller;
  rpc: Rpc;
  keys: Pick<Keys, 'master'>;
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  write<T>(work: (db: Db) => Promise<T>): Promise<T>;
}

/** Returns the amount that a waiver of a loan posts, or null if there is nothing to post. */
export type WaivableLookup = (db: Db, alone: SoleApprover) => Promise<string | null>;

/**
 * Returns the request of the entry. Chosen: a waived loan is remuneration of the employee, so it is an expense for
 * salaries. Each attempt has its own purpose, because finance posts once for each purpose.
 */
const entryOf = (loan_id: string, attempt: number | null, { amount, date }: { amount: string; date: string }) => {
  const line = (role: string, debit: string, credit: string) => ({
    account: { $case: 'system_role' as const, value: role },
    debit,
    credit,
    memo: '',
  });
  return {
    date,
    source_type: 'payroll_loan',
    source_id: loan_id,
    purpose: attempt === null ? 'waive' : `waive.${attempt}`,
    // The ledger must not name the borrower.
    narration: 'Loan to an employee waived',
    lines: [line('salaries_expense', amount, ''), line('employee_advances', '', amount)],
  };
};

/**
 * Has finance post the remaining amount of a loan that is waived, if finance has paid the loan out.
 * @throws what `find` throws, TodayLocked, LoanPending
 */
export async function prepareCancellation(
  context: PrepareContext,
  { id, body: { rest }, dry_run }: { id: string; body: LoanCancellation; dry_run: boolean },
  find: WaivableLookup,
): Promise<PreparedCancellation> {
  const { caller, rpc, write } = context;
  const alone = await soleApproverFor('payroll.run')(context);
  const prepared = { ...alone, waiver: null };
  if (rest !== 'waive' || (await dryRun(write, (db) => find(db, alone))) === null) return prepared;
  const date = today(caller.timezone);
  await assertDayOpen(rpc, date, { locked: TodayLocked });
  const begun = await write(async (db) => {
    const amount = await find(db, alone);
    return amount === null
      ? null
      : { amount, attempt: await postWaiver.begin(db, { caller, dry_run }, { loan_id: id }) };
  });
  if (!begun) return prepared;
  const { amount, attempt } = begun;
  const posted = await postWaiver.ask({ rpc, write }, attempt, entryOf(id, attempt.number, { amount, date }));
  return { ...alone, waiver: { amount, journal_id: posted.journal_entry_id, attempt } };
}
