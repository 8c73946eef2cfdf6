/** Books of a workspace: initial accounts and settings. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { today } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { ACCOUNT_TYPES, CHART, EXPENSE_CATEGORIES, REVENUE_CATEGORIES } from './seeded-chart.ts';

export interface Books {
  base_currency: string;
  /** IANA zone. */
  timezone: string;
  /** MM-DD */
  fiscal_year_start: string;
  four_eyes: boolean;
  /** warn | block */
  credit_limit: string;
  /** complete | approve */
  return_effects_on: string;
}

const BOOKS = sql`SELECT base_currency, timezone, fiscal_year_start, four_eyes, credit_limit, return_effects_on FROM books`;

/**
 * Reads the books and locks their base currency: it cannot change before this transaction ends. Concurrent commands
 * share the lock.
 */
const readBooks = (db: Db) => db.rows<Books>(sql`${BOOKS} FOR KEY SHARE`);

/**
 * Returns the books of the workspace, for a command. Opens them if the event of the new workspace has not arrived yet.
 */
export async function booksOf(db: Db, caller: Caller | null): Promise<Books> {
  const [books] = await readBooks(db);
  if (books) return books;
  if (!caller) throw new Error('This workspace has no books yet.');
  const { currency: base_currency, timezone } = caller;
  await openBooks(db, { base_currency, timezone, fiscal_year_start: '01-01' });
  return (await readBooks(db))[0]!;
}

/** Returns the accounting settings for a query. Returns the initial settings if none are stored yet. */
export async function viewBooks(db: Db, { currency, timezone }: Caller): Promise<Books> {
  const [books] = await db.rows<Books>(BOOKS);
  const defaults = { four_eyes: false, credit_limit: 'warn', return_effects_on: 'complete' };
  return books ?? { base_currency: currency, timezone, fiscal_year_start: '01-01', ...defaults };
}

interface NewBooks extends Pick<Books, 'base_currency' | 'timezone' | 'fiscal_year_start'> {
  /** Number of the workspace event. Defaults to 0: opened without an event. */
  workspace_version?: number;
}

/** Opens the books of a workspace: chart of accounts, categories and a cash account. Repeated calls change nothing. */
export async function openBooks(db: Db, books: NewBooks): Promise<void> {
  const { base_currency, timezone, fiscal_year_start, workspace_version = 0 } = books;
  const opened = await db.rows(sql`
    INSERT INTO books (base_currency, timezone, fiscal_year_start, workspace_version)
    VALUES (${base_currency}, ${timezone}, ${fiscal_year_start}, ${workspace_version})
    ON CONFLICT DO NOTHING RETURNING base_currency`);
  if (opened.length === 0) return;
  await db.rows(sql`INSERT INTO ledger_heads (hash) VALUES (''::bytea)`);
  await provideChart(db);
  await provideCategories(db, 'revenue_categories');
  await provideCategories(db, 'expense_categories');
  await db.rows(sql`
    INSERT INTO bank_accounts (id, bank_name, account_name, currency, gl_account_id, opening_date, is_cash)
    SELECT ${randomUUIDv7()}::uuid, 'Cash', 'Cash', ${base_currency}, id, ${today(timezone)}::date, TRUE
    FROM gl_accounts WHERE system_role = 'cash'`);
  await db.rows(sql`UPDATE gl_accounts SET currency = ${base_currency} WHERE system_role = 'cash'`);
}

/**
 * Opens the books, or stores the time zone of an event, unless a later event of the workspace has already been
 * processed. The fiscal year is stored only if a caller has opened the books, because callers do not know it. Afterwards
 * it belongs to the books.
 */
export async function applyWorkspace(db: Db, books: NewBooks & { workspace_version: number }): Promise<void> {
  const { timezone, fiscal_year_start, workspace_version } = books;
  await openBooks(db, books);
  await db.rows(sql`
    UPDATE books SET timezone = ${timezone}, workspace_version = ${workspace_version}::bigint,
      fiscal_year_start = CASE WHEN workspace_version = 0 AND revision = 1 THEN ${fiscal_year_start} ELSE fiscal_year_start END
    WHERE workspace_version < ${workspace_version}::bigint RETURNING revision`);
}

async function provideChart(db: Db): Promise<void> {
  await db.accountType.createMany({ data: ACCOUNT_TYPES.map((type) => ({ ...type })) });
  const types = new Map((await db.accountType.findMany()).map(({ code, id }) => [code, id]));
  const row = ({ code, name, type, role }: { code: string; name: string; type: string; role?: string }) => ({
    code,
    name,
    type_id: types.get(type)!,
    system_role: role ?? null,
  });
  await db.glAccount.createMany({ data: CHART.map((group) => ({ ...row(group), is_group: true })) });
  const groups = new Map((await db.glAccount.findMany()).map(({ code, id }) => [code, id]));
  await db.glAccount.createMany({
    data: CHART.flatMap(({ code, accounts }) =>
      accounts.map((account) => ({ ...row(account), parent_id: groups.get(code)! })),
    ),
  });
}

async function provideCategories(db: Db, table: 'revenue_categories' | 'expense_categories'): Promise<void> {
  const categories = table === 'revenue_categories' ? REVENUE_CATEGORIES : EXPENSE_CATEGORIES;
  const accounts = new Map((await db.glAccount.findMany()).map(({ code, id }) => [code, id]));
  const data = categories.map(({ name, account }) => ({ name, gl_account_id: accounts.get(account)! }));
  if (table === 'revenue_categories') await db.revenueCategory.createMany({ data });
  else await db.expenseCategory.createMany({ data });
}
