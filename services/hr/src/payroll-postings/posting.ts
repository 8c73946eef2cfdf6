/** Beginning and completing a posting of a run, which must be locked. */
import { randomUUIDv7 } from 'node:crypto';
import { type Caller, fingerprintOf, sql } from '@suite/chassis';
import type { Attempt } from '@suite/saga';
import type { Db } from '../operations.ts';
import { bookPosting, PayrollPending } from './posting-step.ts';

/** A posting to begin. */
export interface NewPosting {
  payroll_id: string;
  kind: 'approve' | 'pay' | 'recover';
  /** `approve.2`, `pay.1`: a further posting for it after one that was taken back gets a number behind it. */
  purpose: string;
  date: string;
  bank_account_id?: string | null;
  method?: string | null;
  amount: string;
  /** The same in the currency of the workspace, where the run has another one. */
  base_amount?: string | null;
  /** The content that was asked for: who asks for the same at the same time shares the posting. */
  content: object;
}

/** A posting that finance is being asked for. */
export interface BegunPosting {
  id: string;
  /** Whether somebody else had begun it. */
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

/** The postings of a run that finance is being asked for, or takes back. */
const openPostings = (db: Db, payroll_id: string) =>
  db.rows<OpenPosting>(sql`
    SELECT posting.id, posting.kind, posting.purpose, posting.content FROM payroll_postings AS posting
    WHERE posting.payroll_id = ${payroll_id}::uuid AND EXISTS (
      SELECT FROM payroll_posting_attempts AS attempt
      WHERE attempt.posting_id = posting.id AND attempt.state IN ('requested', 'reversing'))`);

/** Refuses what changes a run while finance is being asked about it. @throws PayrollPending */
export async function assertNothingOpen(db: Db, payroll_id: string): Promise<void> {
  if ((await openPostings(db, payroll_id)).length > 0) throw PayrollPending();
}

/**
 * Forgets the postings of a run that was never approved: all of them were taken back. Their entries stay in the books.
 * @throws PayrollPending while finance is asked for one, or takes it back
 */
export async function forgetPostings(db: Db, payroll_id: string): Promise<void> {
  await assertNothingOpen(db, payroll_id);
  await db.rows(sql`
    DELETE FROM payroll_posting_attempts USING payroll_postings AS posting
    WHERE posting.id = posting_id AND posting.payroll_id = ${payroll_id}::uuid`);
  await db.payrollPosting.deleteMany({ where: { payroll_id } });
}

/** The purpose, with a number behind it where the run has posted for it before, and taken that back. */
async function freePurpose(db: Db, payroll_id: string, purpose: string): Promise<string> {
  const [before] = await db.rows<{ times: number }>(sql`
    SELECT count(*)::int AS times FROM payroll_postings
    WHERE payroll_id = ${payroll_id}::uuid AND (purpose = ${purpose} OR purpose LIKE ${`${purpose}.%`})`);
  return before!.times === 0 ? purpose : `${purpose}.${before!.times + 1}`;
}

/**
 * Records that finance is about to be asked, or shares what somebody else is asking for.
 * @throws PayrollPending while it is asked for anything else of this run, or takes something back
 */
export async function beginPosting(db: Db, caller: Caller, posting: NewPosting): Promise<BegunPosting> {
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

/** Makes a posting official. @returns false when who shared it has done so. @throws PayrollPending when it was given up */
export async function completePosting(db: Db, { id, attempt }: BegunPosting, journal_id: string): Promise<boolean> {
  const [official] = await db.rows(sql`
    SELECT id FROM payroll_postings WHERE id = ${id}::uuid AND journal_id IS NOT NULL`);
  if (official) return false;
  await bookPosting.complete(db, attempt);
  await db.payrollPosting.updateMany({ where: { id }, data: { journal_id } });
  return true;
}

/** A posting that is official. */
export interface OfficialPosting {
  id: string;
  kind: string;
  date: string;
  journal_id: string;
}

/** The official postings of a run that were not taken back. */
export const officialPostings = (db: Db, payroll_id: string) =>
  db.rows<OfficialPosting>(sql`
    SELECT posting.id, posting.kind, posting.date::text AS date, posting.journal_id FROM payroll_postings AS posting
    WHERE posting.payroll_id = ${payroll_id}::uuid AND posting.journal_id IS NOT NULL AND EXISTS (
      SELECT FROM payroll_posting_attempts AS attempt
      WHERE attempt.posting_id = posting.id AND attempt.state = 'posted')
    ORDER BY posting.id`);

/** Has the sweeper take an official posting back. @param day of the reversal */
export async function takeBackLater(db: Db, posting_id: string, day: string): Promise<void> {
  await db.rows(sql`
    UPDATE payroll_posting_attempts SET undo_on = ${day} WHERE posting_id = ${posting_id}::uuid AND state = 'posted'`);
  await bookPosting.undoLater(db, posting_id);
}
