/** Starts and completes a posting of a run. The run must be locked. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { fingerprintOf } from '@suite/chassis/rpc';
import type { Attempt } from '@suite/saga';
import type { Db } from '../../operations.ts';
import { bookPosting, PayrollPending } from './posting-step.ts';

/** Posting to be started. */
export interface NewPosting {
  payroll_id: string;
  kind: 'approve' | 'pay' | 'recover';
  /** Purpose such as `approve.2` or `pay.1`. A further posting after a reversal gets a number appended. */
  purpose: string;
  date: string;
  bank_account_id?: string | null;
  method?: string | null;
  amount: string;
  /** Amount in the workspace currency, if it differs from the run's currency. */
  base_amount?: string | null;
  /** Requested content. Concurrent requests with the same content share the posting. */
  content: object;
}

/** Posting that finance is making. */
export interface StartedPosting {
  id: string;
  /** True if another request had begun the posting. */
  shared: boolean;
  purpose: string;
  attempt: Attempt<{ posting_id: string; kind: string; undo_on: string }>;
}

interface OpenPosting {
  id: string;
  kind: string;
  purpose: string;
  content: string;
}

/** Returns the postings of a run that finance is making or reversing. */
const openPostings = (db: Db, payroll_id: string) =>
  db.rows<OpenPosting>(sql`
    SELECT posting.id, posting.kind, posting.purpose, posting.content FROM payroll_postings AS posting
    WHERE posting.payroll_id = ${payroll_id}::uuid AND EXISTS (
      SELECT FROM payroll_posting_attempts AS attempt
      WHERE attempt.posting_id = posting.id AND attempt.state IN ('requested', 'reversing'))`);

/** Rejects changes to a run while a request to finance is pending. @throws PayrollPending */
export async function assertNothingOpen(db: Db, payroll_id: string): Promise<void> {
  if ((await openPostings(db, payroll_id)).length > 0) throw PayrollPending();
}

/**
 * Deletes the postings of a run that was never approved, once all are reversed. Their entries remain in the ledger.
 * @throws PayrollPending while finance is making or reversing one
 */
export async function deletePostings(db: Db, payroll_id: string): Promise<void> {
  await assertNothingOpen(db, payroll_id);
  await db.rows(sql`
    DELETE FROM payroll_posting_attempts USING payroll_postings AS posting
    WHERE posting.id = posting_id AND posting.payroll_id = ${payroll_id}::uuid`);
  await db.payrollPosting.deleteMany({ where: { payroll_id } });
}

/** Returns the purpose, with a number appended if the run has a reversed posting for this purpose. */
async function freePurpose(db: Db, payroll_id: string, purpose: string): Promise<string> {
  const [before] = await db.rows<{ times: number }>(sql`
    SELECT count(*)::int AS times FROM payroll_postings
    WHERE payroll_id = ${payroll_id}::uuid AND (purpose = ${purpose} OR purpose LIKE ${`${purpose}.%`})`);
  return before!.times === 0 ? purpose : `${purpose}.${before!.times + 1}`;
}

/**
 * Records a posting before the request to finance, or joins an identical pending posting.
 * @throws PayrollPending while finance is making or reversing another posting of the run
 */
export async function beginPosting(db: Db, caller: Caller, posting: NewPosting): Promise<StartedPosting> {
  const { payroll_id, kind, date, bank_account_id = null, method = null, amount, base_amount = null } = posting;
  const content = fingerprintOf(posting.content);
  const [open, ...others] = await openPostings(db, payroll_id);
  if (open && (others.length > 0 || open.kind !== kind || open.content !== content)) throw PayrollPending();
  const { id, purpose } = open ?? {
    id: randomUUIDv7(),
    purpose: await freePurpose(db, payroll_id, posting.purpose),
  };
  if (!open) {
    const columns = { id, payroll_id, kind, purpose, bank_account_id, method, amount, base_amount, content };
    await db.payrollPosting.create({ data: { ...columns, date: new Date(date) } });
  }
  const attempt = await bookPosting.begin(db, { caller }, { posting_id: id, kind, undo_on: '' });
  return { id, shared: open !== undefined, purpose, attempt };
}

/**
 * Makes a posting official. @returns false if a concurrent command has done so @throws PayrollPending if the posting
 * was abandoned
 */
export async function completePosting(db: Db, { id, attempt }: StartedPosting, journal_id: string): Promise<boolean> {
  const [official] = await db.rows(sql`
    SELECT id FROM payroll_postings WHERE id = ${id}::uuid AND journal_id IS NOT NULL`);
  if (official) return false;
  await bookPosting.complete(db, attempt);
  await db.payrollPosting.updateMany({ where: { id }, data: { journal_id } });
  return true;
}

/** Posting that is official. */
export interface OfficialPosting {
  id: string;
  kind: string;
  date: string;
  journal_id: string;
}

/** Returns the official postings of a run that have not been reversed. */
export const officialPostings = (db: Db, payroll_id: string) =>
  db.rows<OfficialPosting>(sql`
    SELECT posting.id, posting.kind, posting.date::text AS date, posting.journal_id FROM payroll_postings AS posting
    WHERE posting.payroll_id = ${payroll_id}::uuid AND posting.journal_id IS NOT NULL AND EXISTS (
      SELECT FROM payroll_posting_attempts AS attempt
      WHERE attempt.posting_id = posting.id AND attempt.state = 'posted')
    ORDER BY posting.id`);

/** Has the sweeper reverse an official posting. @param day date of the reversal */
export async function reverseLater(db: Db, posting_id: string, day: string): Promise<void> {
  await db.rows(sql`
    UPDATE payroll_posting_attempts SET undo_on = ${day} WHERE posting_id = ${posting_id}::uuid AND state = 'posted'`);
  await bookPosting.undoLater(db, posting_id);
}
