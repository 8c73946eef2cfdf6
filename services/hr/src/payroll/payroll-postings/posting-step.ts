/**
 * Postings of payroll runs. Finance posts before a run changes here, with a separate idempotency key for each attempt.
 * States of an attempt:
 *
 * - requested → posted: the run is approved, paid or reversed, in the same transaction.
 * - requested → reversing → reversed: the posting was rejected, or not completed in time.
 * - posted → reversing → reversed: the run was reversed.
 * - reversing → requested: the bank has confirmed the payment, so that it can only be completed.
 */
import { randomUUID } from 'node:crypto';
import { sql, type Sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { PostJournalRequest, RecordPayoutRequest } from '@suite/proto/finance/v1/finance';
import { remoteSteps, stepTable, sweeper } from '@suite/saga';
import type { PayrollPostingAttempt } from '../../generated/client.ts';
import type { Db, Rpc } from '../../operations.ts';

export const PayrollPending = fault(
  409,
  'payroll_pending',
  'Another step of this payroll run is being posted or reversed. Try again in a moment.',
  { retryable: true },
);
/** Fault of finance for a payment that is reconciled with the bank. */
export const Reconciled = fault(
  409,
  'reconciled',
  'A payment of this run is reconciled with the bank. Undo the reconciliation first.',
);

/** Journal entry of a posting in finance. */
export interface Booked {
  journal_entry_id: string;
}

type Posting = Pick<PayrollPostingAttempt, 'posting_id' | 'kind' | 'undo_on'>;
type Keyed = 'idempotency_key' | 'dry_run';
/** Posting in the format of the request to finance, without its key. */
export type RequestedPosting =
  | { journal: Omit<PostJournalRequest, Keyed>; payout?: undefined }
  | { payout: Omit<RecordPayoutRequest, Keyed>; journal?: undefined };

/** Requests a posting from finance, or only a check of the posting. */
const request = (
  rpc: Pick<Rpc, 'finance'>,
  wanted: RequestedPosting,
  keyed: Pick<PostJournalRequest, Keyed>,
): Promise<Booked> =>
  wanted.payout
    ? rpc.finance.recordPayout({ ...keyed, ...wanted.payout })
    : rpc.finance.postJournal({ ...keyed, ...wanted.journal });

/** Checks that finance would accept a posting, without posting anything. @throws the faults of the posting */
export const checkPosting = (rpc: Pick<Rpc, 'finance'>, wanted: RequestedPosting): Promise<Booked> =>
  request(rpc, wanted, { idempotency_key: randomUUID(), dry_run: true });

/** Has finance make a posting. The posting is reversed if it is not completed or if the run is reversed. */
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
  ask: ({ rpc, key }, wanted: RequestedPosting): Promise<Booked> =>
    request(rpc, wanted, { idempotency_key: key, dry_run: false }),
  undo({ rpc, key }, { kind, undo_on }): Promise<unknown> {
    const asked = { idempotency_key: key, date: undo_on };
    return kind === 'pay' ? rpc.finance.reversePayout(asked) : rpc.finance.reverseJournal(asked);
  },
});

/** Returns the postings that finance is making or reversing, for the `pending_effects` of runs. */
export const pendingPostings = (payroll_id: Sql): Sql => sql`ARRAY(
  SELECT effect FROM payroll_postings CROSS JOIN LATERAL unnest(${bookPosting.pendingEffects(sql`payroll_postings.id`, {
    requested: sql`'post_' || kind`,
    undoing: sql`'reverse_' || kind`,
  })}) AS effect
  WHERE payroll_postings.payroll_id = ${payroll_id} ORDER BY payroll_postings.id)`;

/** Short interval, so that postings are reversed quickly. */
const INTERVAL_MS = 3_000;

export const {
  findOpen,
  finish: finishPostings,
  schedule: finishOpenPostings,
} = sweeper('hr.finish-payroll-postings', INTERVAL_MS, [bookPosting]);
