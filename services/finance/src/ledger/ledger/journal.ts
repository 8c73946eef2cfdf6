/** Journal. Entries are never changed. The database rejects entries that do not balance, at commit. */
import { randomUUIDv7 } from 'node:crypto';
import { type Sql, sql } from '@suite/chassis/database';
import { fault, NotFound } from '@suite/chassis/faults';
import { today } from '@suite/chassis/runtime';
import { roundTo } from '@suite/money';
import { accountFor, accountsByRole, type RoleAccounts } from '../accounts/account.ts';
import type { SystemRole } from '../books/seeded-chart.ts';
import type { Db } from '../../operations.ts';
import type { PostedTax } from '../accounts/tax-bases.rules.ts';
import { findEmptyBanks, valueBankLines } from './carried-value.ts';
import { assertNotBefore } from './open-items.rules.ts';
import { type AccountRef, type BaseLine, exchangeDifference, storedAmount } from './journal.rules.ts';

export const PeriodLocked = fault(
  409,
  'period_locked',
  'The books are locked for this day. Choose a later date, or ask accounting to move the lock.',
);
export const AlreadyReversed = fault(
  409,
  'already_reversed',
  'This entry has already been reversed. Reload it to see the reversal.',
);

export type LockScope = 'all' | 'sales' | 'purchases' | 'banking' | 'payroll';

/** Journal entry to post. */
export interface JournalEntryDraft {
  /** Defaults to a new ID. */
  id?: string;
  /** Date of the document. Its period must be open. */
  date: string;
  /** Period locks that apply to the entry. */
  scope: LockScope;
  source_type: string;
  source_id: string;
  /** Purpose of the posting. A source posts once for each purpose. */
  purpose: string;
  /** A SQL expression if the text depends on preceding statements. */
  narration: string | Sql;
  lines: readonly BaseLine[];
  /** Taxable bases, in base currency. Lines on tax accounts are in the tax report even without them. */
  taxes?: readonly PostedTax[];
  /** Texts for the bank transactions of the entry. */
  counterparty?: string | null;
  reference?: string | null;
}

export interface PostedEntry {
  id: string;
  number: string;
}

/** Converts a line to the format of the database function. */
const lineOf = (
  { account: _, base_currency: __, side, base, party, amount, ...line }: BaseLine,
  account_id: string | undefined,
) => ({
  ...line,
  id: randomUUIDv7(),
  account_id,
  amount: storedAmount({ side, amount, base }),
  debit: side === 'debit' ? base : '0',
  credit: side === 'credit' ? base : '0',
  party_kind: party?.kind,
  party_id: party?.id,
  memo: line.memo ?? '',
});

/** Posts an entry in one statement that numbers, chains and inserts it. */
async function insertEntry(db: Db, narration: string | Sql, entry: object): Promise<PostedEntry> {
  const [answer] = await db.rows<{ posted: PostedEntry & { locked?: object } }>(sql`
    SELECT ledger_post(${JSON.stringify(entry)}::jsonb || jsonb_build_object('narration', (${narration})::text)) AS posted`);
  const { locked, ...posted } = answer!.posted;
  if (locked) throw PeriodLocked(locked);
  return posted;
}

const rolesOf = (lines: readonly { account: AccountRef }[]): SystemRole[] =>
  lines.map(({ account }) => account).filter((account) => typeof account === 'string');

/**
 * Posts an entry. Blocks all other postings of the workspace until the end of the transaction, so it must be the last
 * step.
 * @param known the system accounts, if already looked up. The statement is then sent immediately
 * @throws PeriodLocked; AlreadyExists if the source has already posted for this purpose
 */
export async function postEntry(
  db: Db,
  { lines, narration, ...entry }: JournalEntryDraft,
  known?: RoleAccounts,
): Promise<PostedEntry> {
  // Entries with known accounts have no lines on bank accounts.
  const valued = known ? lines : await valueBankLines(db, lines);
  const byRole = known ?? (await accountsByRole(db, rolesOf(valued)));
  const resolved = valued.map((line) =>
    lineOf(line, typeof line.account === 'string' ? accountFor(line.account, byRole) : line.account.id),
  );
  return await insertEntry(db, narration, { id: randomUUIDv7(), ...entry, lines: resolved });
}

/**
 * Reverses an entry line for line.
 * @param date of the reversal. Defaults to the date of the entry
 * @throws AlreadyReversed, PeriodLocked; BeforeDocument for a day before the entry
 */
export async function reverseEntry(
  db: Db,
  entry_id: string,
  { date, narration }: { date?: string; narration: string },
): Promise<PostedEntry> {
  const [entry] = await db.rows<JournalEntryDraft & { number: string; reversed: boolean; base_currency: string }>(sql`
    SELECT number, scope, source_type, source_id, purpose, date, (SELECT base_currency FROM books) AS base_currency,
      EXISTS (SELECT FROM journal_entries AS other WHERE other.reversal_of = entry.id) AS reversed
    FROM journal_entries AS entry WHERE id = ${entry_id}::uuid`);
  if (!entry) throw NotFound();
  const { reversed, number, base_currency, ...source } = entry;
  if (reversed) throw AlreadyReversed();
  if (date) assertNotBefore(date, [{ date: source.date, number }]);
  const lines = await db.rows<{ position: number; account_id: string; currency: string }>(sql`
    SELECT account_id, credit AS debit, debit AS credit, currency,
      CASE WHEN debit = credit THEN - amount ELSE amount END AS amount, rate, party_kind, party_id, open_item_id,
      tax_id, product_id, warehouse_id, project_id, memo
    FROM journal_lines WHERE entry_id = ${entry_id}::uuid ORDER BY position`);
  const taxes = await db.rows(sql`
    SELECT side, tax_id, name, kind, rate, - base AS base, - tax AS tax FROM tax_lines WHERE entry_id = ${entry_id}::uuid`);
  const reversal = await insertEntry(db, narration, {
    id: randomUUIDv7(),
    ...source,
    date: date ?? source.date,
    purpose: `reversal of ${source.purpose}`,
    reversal_of: entry_id,
    taxes,
    lines: lines.map((line) => ({ ...line, id: randomUUIDv7() })),
  });
  const foreign = lines.filter(({ currency }) => currency !== base_currency).map(({ account_id }) => account_id);
  if (foreign.length > 0)
    await clearEmptyBanks(db, foreign, { date: date ?? source.date, entry_id: reversal.id, base_currency });
  return reversal;
}

/**
 * Posts the value that a reversal left in an empty bank account as an exchange gain or loss. The reversal has the value
 * of its own date, and other money may have left the account since then.
 */
async function clearEmptyBanks(
  db: Db,
  accounts: readonly string[],
  { date, entry_id, base_currency }: { date: string; entry_id: string; base_currency: string },
): Promise<void> {
  for (const { id, currency, base } of await findEmptyBanks(db, accounts)) {
    const value = roundTo(base, base_currency);
    const isNegative = value.startsWith('-');
    const gain = exchangeDifference(isNegative ? value.slice(1) : `-${value}`, { currency, base_currency });
    const side = isNegative ? ('debit' as const) : ('credit' as const);
    await postEntry(db, {
      date,
      scope: 'banking',
      source_type: 'exchange_difference',
      source_id: entry_id,
      purpose: `account ${id}`,
      narration: 'Exchange difference of an empty bank account',
      lines: [{ ...gain, account: { id }, side }, gain],
    });
  }
}

/** Returns the period lock of a day, if there is one. */
async function findLock(db: Db, date: string, scopes: readonly string[]): Promise<object | undefined> {
  const [lock] = await db.rows(sql`
    SELECT scope, locked_through, reason
    FROM period_lock_covering(current_setting('suite.workspace_id')::uuid, ${date}::date, ${scopes}::text[])`);
  return lock;
}

/** Rejects a day in a locked period, before work starts that could not be saved. @throws PeriodLocked */
export async function assertPeriodOpen(db: Db, date: string, ...scopes: LockScope[]): Promise<void> {
  const lock = await findLock(db, date, scopes);
  if (lock) throw PeriodLocked(lock);
}

/** Returns the lock scopes of lines. */
async function scopesOf(db: Db, lines: readonly { account: AccountRef }[]): Promise<string[]> {
  const byRole = await accountsByRole(db, rolesOf(lines));
  const ids = lines.map(({ account }) => (typeof account === 'string' ? accountFor(account, byRole) : account.id));
  const [found] = await db.rows<{ scopes: string[] | null }>(sql`
    SELECT ledger_scopes(current_setting('suite.workspace_id')::uuid, ${ids}::uuid[]) AS scopes`);
  return found!.scopes ?? [];
}

/** Returns the accounts of an entry's lines. */
export const journalLines = async (db: Db, entry_id: string): Promise<{ account: { id: string } }[]> =>
  (
    await db.rows<{ account_id: string }>(sql`
    SELECT account_id FROM journal_lines WHERE entry_id = ${entry_id}::uuid`)
  ).map(({ account_id }) => ({ account: { id: account_id } }));

/** Posting day, and the note in the narration of the entry. */
interface PostingDay {
  date: string;
  /** Note on the original date. Empty if the entry has that date. */
  note: string;
}

/**
 * Returns the posting day of a past event that cannot be rejected. Tries its own day, then today, then the first open
 * day. Chosen: a shop can sell while its books are locked, and its sales are posted immediately. They are dated in an
 * open period, and the entry notes the original day.
 */
export async function openPostingDay(
  db: Db,
  own: string,
  { scope, lines }: { scope: LockScope; lines: readonly { account: AccountRef }[] },
  timezone: string,
): Promise<PostingDay> {
  const scopes = ['all', scope, ...(await scopesOf(db, lines))];
  if (!(await findLock(db, own, scopes))) return { date: own, note: '' };
  const now = today(timezone);
  const [first] = await db.rows<{ date: string }>(sql`
    SELECT greatest(coalesce(max(locked_through) + 1, ${now}::date), ${now}::date)::text AS date FROM period_locks
    WHERE scope = ANY(${scopes}::text[]) AND (exception_until IS NULL OR exception_until <= now())`);
  return { date: first!.date, note: ` (of ${own}, for which the books are locked)` };
}
