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
import { remoteSteps, stepTable, undoSchedule } from '@suite/saga';
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
export interface PostedJournal {
  journal_entry_id: string;
}

type PostingKey = Pick<PayrollPostingAttempt, 'posting_id' | 'kind' | 'undo_on'>;
type GeneratedField = 'idempotency_key' | 'dry_run';
/** Posting in the format of the request to finance, without its key. */
export type RequestedPosting =
  | { journal: Omit<PostJournalRequest, GeneratedField>; payout?: undefined }
  | { payout: Omit<RecordPayoutRequest, GeneratedField>; journal?: undefined };

/** Requests a posting from finance, or only a check of the posting. */
const requestPosting = (
  rpc: Pick<Rpc, 'finance'>,
  posting: RequestedPosting,
  keyed: Pick<PostJournalRequest, GeneratedField>,
): Promise<PostedJournal> =>
  posting.payout
    ? rpc.finance.recordPayout({ ...keyed, ...posting.payout })
    : rpc.finance.postJournal({ ...keyed, ...posting.journal });

/** Checks that finance would accept a posting, without posting anything. @throws the faults of the posting */
export const checkPosting = (rpc: Pick<Rpc, 'finance'>, posting: RequestedPosting): Promise<PostedJournal> =>
  requestPosting(rpc, posting, { idempotency_key: randomUUID(), dry_run: true });

/** Has finance make a posting. The posting is reversed if it is not completed or if the run is reversed. */
export const bookPosting = remoteSteps<Db, Pick<Rpc, 'finance'>>()('hr.book-payroll', {
  table: stepTable<PayrollPostingAttempt, keyof PostingKey>('payroll_posting_attempts', {
    record: 'posting_id',
    attempt: 'attempt',
    states: { requested: 'requested', completed: 'posted', undoing: 'reversing', undone: 'reversed' },
  }),
  pending: PayrollPending,
  asks: {
    service: 'finance',
    methods: { PostJournal: { kind: 'approve', undo_on: '' }, RecordPayout: { kind: 'pay', undo_on: '' } },
  },
  irreversible: [Reconciled],
  key: (id, attempt) => `payroll:${id}:${attempt}`,
  lock: (db, { posting_id }) =>
    db.rows(sql`
      SELECT id FROM payrolls WHERE id = (SELECT payroll_id FROM payroll_postings WHERE id = ${posting_id}::uuid)
      FOR NO KEY UPDATE`),
  ask: ({ rpc, key }, posting: RequestedPosting): Promise<PostedJournal> =>
    requestPosting(rpc, posting, { idempotency_key: key, dry_run: false }),
  undo({ rpc, key }, { kind, undo_on }): Promise<unknown> {
    const request = { idempotency_key: key, date: undo_on };
    return kind === 'pay' ? rpc.finance.reversePayout(request) : rpc.finance.reverseJournal(request);
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
} = undoSchedule('hr.finish-payroll-postings', INTERVAL_MS, [bookPosting]);
