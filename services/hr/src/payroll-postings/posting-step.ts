/**
 * Postings of runs: finance is asked to book before a run changes here, each time under a key of its own. The states of an
 * attempt:
 *
 * requested → posted: the run is approved, paid or taken back, in one transaction with this.
 * requested → reversing → reversed: refused, or nobody finished it in time.
 * posted → reversing → reversed: the run was taken back.
 * reversing → requested: the bank has confirmed the payment, so that it can only be gone on with.
 */
import { randomUUID } from 'node:crypto';
import { fault, sql, type Sql } from '@suite/chassis';
import type { PostJournalRequest, RecordPayoutRequest } from '@suite/proto/finance/v1/finance';
import { remoteSteps, stepTable, sweeper } from '@suite/saga';
import type { PayrollPostingAttempt } from '../generated/client.ts';
import type { Db, Rpc } from '../operations.ts';

export const PayrollPending = fault(
  409,
  'payroll_pending',
  'Another step of this payroll run is being posted or reversed. Try again in a moment.',
  { retryable: true },
);
/** Finance's fault for money that the bank has confirmed. */
export const Reconciled = fault(
  409,
  'reconciled',
  'A payment of this run is reconciled with the bank. Undo the reconciliation first.',
);

/** Finance's entry of a posting. */
export interface Booked {
  journal_entry_id: string;
}

type Posting = Pick<PayrollPostingAttempt, 'posting_id' | 'kind' | 'undo_on'>;
type Keyed = 'idempotency_key' | 'dry_run';
/** A posting as it is requested from finance, without its key. */
export type Wanted =
  | { journal: Omit<PostJournalRequest, Keyed>; payout?: undefined }
  | { payout: Omit<RecordPayoutRequest, Keyed>; journal?: undefined };

/** Requests a posting from finance, or only the check of it. */
const request = (rpc: Pick<Rpc, 'finance'>, wanted: Wanted, keyed: Pick<PostJournalRequest, Keyed>): Promise<Booked> =>
  wanted.payout
    ? rpc.finance.recordPayout({ ...keyed, ...wanted.payout })
    : rpc.finance.postJournal({ ...keyed, ...wanted.journal });

/** Checks whether finance would accept a posting, and leaves no trace there. @throws the faults of the posting */
export const checkPosting = (rpc: Pick<Rpc, 'finance'>, wanted: Wanted): Promise<Booked> =>
  request(rpc, wanted, { idempotency_key: randomUUID(), dry_run: true });

/** Has finance book a posting. Undone by its opposite: when it was not completed after all, or the run is taken back. */
export const bookPosting = remoteSteps<Db, Pick<Rpc, 'finance'>>()('hr.book-payroll', {
  table: stepTable<PayrollPostingAttempt, keyof Posting>('payroll_posting_attempts', {
    record: 'posting_id',
    attempt: 'attempt',
    states: { requested: 'requested', completed: 'posted', undoing: 'reversing', undone: 'reversed' },
  }),
  pending: PayrollPending,
  irreversible: [Reconciled],
  key: (id, attempt) => `payroll:${id}:${attempt}`,
  lock: (db, { posting_id }) =>
    db.rows(sql`
      SELECT id FROM payrolls WHERE id = (SELECT payroll_id FROM payroll_postings WHERE id = ${posting_id}::uuid)
      FOR NO KEY UPDATE`),
  ask: ({ rpc, key }, wanted: Wanted): Promise<Booked> =>
    request(rpc, wanted, { idempotency_key: key, dry_run: false }),
  undo({ rpc, key }, { kind, undo_on }): Promise<unknown> {
    const asked = { idempotency_key: key, date: undo_on };
    return kind === 'pay' ? rpc.finance.reversePayout(asked) : rpc.finance.reverseJournal(asked);
  },
});

/** The postings that finance is asked for, or takes back, for the `pending_effects` of runs. */
export const pendingPostings = (payroll_id: Sql): Sql => sql`ARRAY(
  SELECT effect FROM payroll_postings CROSS JOIN LATERAL unnest(${bookPosting.pendingEffects(sql`payroll_postings.id`, {
    requested: sql`'post_' || kind`,
    undoing: sql`'reverse_' || kind`,
  })}) AS effect
  WHERE payroll_postings.payroll_id = ${payroll_id} ORDER BY payroll_postings.id)`;

/** Short: what is taken back is out of the books before anybody looks. */
const INTERVAL_MS = 3_000;

export const {
  findOpen,
  finish: finishPostings,
  schedule: finishOpenPostings,
} = sweeper('hr.finish-payroll-postings', INTERVAL_MS, [bookPosting]);
