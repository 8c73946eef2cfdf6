/** Changes of the base currency and the fiscal year. Finance owns both, because they decide how postings are read. */
import { join, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { BooksChanged } from '@suite/proto/finance/v1/events';
import type { ChangeBooksResponse } from '@suite/proto/finance/v1/finance';
import { type Db, tableNamed } from '../../operations.ts';
import { booksOf } from './books.ts';

export const CurrencyInUse = fault(
  409,
  'currency_in_use',
  'The base currency cannot change because there are documents or postings. Delete all drafts, or use a new workspace.',
);
export const FiscalYearLocked = fault(
  409,
  'fiscal_year_locked',
  'The fiscal year would begin within a locked period. Choose the day after the lock, or move the lock first.',
);

/** Tables with amounts that depend on the base currency. An empty set means that it can still change. */
const AMOUNTS = [
  ...(['journal_entries', 'sales_invoices', 'purchase_invoices', 'sales_returns', 'purchase_returns'] as const),
  ...(['revenues', 'expenses', 'payments', 'agreements'] as const),
];

interface BooksChange {
  /** Empty for no change. */
  base_currency: string;
  /** Empty for no change. */
  fiscal_year_start: string;
  /** First day of the fiscal year as platform knows it. */
  known_fiscal_year_start: string;
}

interface ChangeContext {
  db: Db;
  emit: Emit;
  caller: Caller;
}

/** @throws CurrencyInUse with the kinds of records that exist */
async function assertUnused(db: Db): Promise<void> {
  const exists = AMOUNTS.map((table) => sql`EXISTS (SELECT FROM ${tableNamed(table)}) AS ${tableNamed(table)}`);
  const [found] = await db.rows<Record<(typeof AMOUNTS)[number], boolean>>(sql`SELECT ${join(exists)}`);
  const used_by = AMOUNTS.filter((table) => found![table]);
  if (used_by.length > 0) throw CurrencyInUse({ used_by });
}

/** Cash accounts in the base currency follow it. All other accounts have a currency of their own. */
async function moveCashAccounts(db: Db, from: string, to: string): Promise<void> {
  await db.rows(sql`
    UPDATE bank_accounts SET currency = ${to} FROM gl_accounts AS account
    WHERE account.id = bank_accounts.gl_account_id AND account.system_role = 'cash' AND bank_accounts.currency = ${from}
    RETURNING bank_accounts.id`);
  await db.rows(
    sql`UPDATE gl_accounts SET currency = ${to} WHERE system_role = 'cash' AND currency = ${from} RETURNING id`,
  );
}

/** Locks the journal like a period lock. @throws FiscalYearLocked with the first day that is possible */
async function assertAfterLock(db: Db, fiscal_year_start: string): Promise<void> {
  await db.rows(sql`SELECT sequence FROM ledger_heads FOR UPDATE`);
  const [lock] = await db.rows<{ locked_through: string; fiscal_year_start: string }>(sql`
    SELECT max(locked_through)::text AS locked_through, to_char(max(locked_through) + 1, 'MM-DD') AS fiscal_year_start
    FROM period_locks WHERE scope = 'all' HAVING count(*) > 0`);
  if (lock && lock.fiscal_year_start !== fiscal_year_start) throw FiscalYearLocked(lock);
}

/**
 * Changes the base currency or the first day of the fiscal year. Waits for commands in progress, which share the lock of
 * the books.
 *
 * Chosen: the base currency can change only while no document exists, not even a draft, because rates and base amounts
 * are stored with them. Accounting products allow no change at all, or only without postings. Prices, credit limits and
 * budgets keep their numbers, because they are plans and not postings. A locked period keeps its fiscal years: the year of
 * the first open day cannot begin before that day.
 * @throws CurrencyInUse, FiscalYearLocked
 */
export async function changeBooks(
  { db, emit, caller }: ChangeContext,
  change: BooksChange,
): Promise<ChangeBooksResponse> {
  await booksOf(db, caller);
  const [books] = await db.rows<ChangeBooksResponse & { workspace_version: number }>(
    sql`SELECT base_currency, fiscal_year_start, revision, workspace_version FROM books FOR UPDATE`,
  );
  const { workspace_version, ...before } = books!;
  const isComplete = workspace_version > 0 || before.revision > 1;
  const current = isComplete ? before.fiscal_year_start : change.known_fiscal_year_start || before.fiscal_year_start;
  const base_currency = change.base_currency || before.base_currency;
  const fiscal_year_start = change.fiscal_year_start || current;
  if (base_currency === before.base_currency && fiscal_year_start === before.fiscal_year_start) return before;
  if (base_currency !== before.base_currency) {
    await assertUnused(db);
    await moveCashAccounts(db, before.base_currency, base_currency);
  }
  if (fiscal_year_start !== current) await assertAfterLock(db, fiscal_year_start);
  const [after] = await db.rows<ChangeBooksResponse>(sql`
    UPDATE books SET base_currency = ${base_currency}, fiscal_year_start = ${fiscal_year_start}, revision = revision + 1
    RETURNING base_currency, fiscal_year_start, revision`);
  emit(BooksChanged, { books_id: caller.workspace_id, ...after! });
  return after!;
}
