/** The accounts that each use allows: checked where a record stores the id of an account, and again when it is booked on. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import type { SystemRole } from '../books/seeded-chart.ts';

/** The uses for which other records name an account. */
const OF_PRODUCTS = ['income', 'expense', 'stock'] as const;
export const USES = [...OF_PRODUCTS, 'payroll'] as const;
/** `bill`: the account of a line of a purchase invoice. */
export type Use = (typeof USES)[number] | 'bill';

export interface AccountUse {
  account_id: string;
  use: Use;
}

/** The class that its accounts are of, and the accounts that the suite itself uses for it. */
const RULES: Readonly<Record<Use, { classes?: readonly string[]; roles: readonly SystemRole[]; noun?: string }>> = {
  income: { classes: ['revenue'], roles: ['sales'], noun: 'income' },
  expense: { classes: ['expense'], roles: ['cogs', 'purchased_services'], noun: 'expenses' },
  bill: {
    classes: ['expense', 'asset'],
    roles: ['cogs', 'purchased_services', 'bank_charges'],
    noun: 'expenses or assets',
  },
  stock: { classes: ['asset'], roles: ['inventory'], noun: 'assets' },
  // Wages are expenses and taxes are owed; what somebody pays for his lunch is income.
  payroll: { roles: ['salaries_expense', 'payroll_liabilities', 'employee_advances', 'purchased_services'] },
};

interface Account {
  id: string;
  class: string;
  is_group: boolean;
  active: boolean;
  currency: string | null;
  system_role: string | null;
}

/** Why an account cannot be used; null where it can. Chosen: not in a currency of its own, since documents have theirs. */
function refusalOf(account: Account | undefined, use: Use): string | null {
  const rule = RULES[use];
  if (!account) return 'Account not found.';
  if (account.is_group) return 'This account is a group. Choose one below it.';
  if (!account.active) return 'This account is archived.';
  if (rule.classes && !rule.classes.includes(account.class)) return `Choose an account of ${rule.noun}.`;
  if (account.system_role !== null && !rule.roles.some((role) => role === account.system_role)) {
    return 'The suite keeps this account for something else.';
  }
  if (account.currency !== null) return `This account takes ${account.currency} only.`;
  return null;
}

/** Why each of these accounts cannot be used; null where it can. One statement, however many. */
export async function refusals(db: Db, asked: readonly AccountUse[]): Promise<(string | null)[]> {
  const ids = [...new Set(asked.map(({ account_id }) => account_id))];
  if (ids.length === 0) return [];
  const rows = await db.rows<Account>(sql`
    SELECT account.id, type.class, account.is_group, account.active, account.currency, account.system_role
    FROM gl_accounts AS account JOIN account_types AS type ON type.id = account.type_id
    WHERE account.id = ANY(${ids}::uuid[])`);
  const known = new Map(rows.map((row) => [row.id, row]));
  return asked.map(({ account_id, use }) => refusalOf(known.get(account_id), use));
}

/** The accounts that a product names, of a line; null for the usual ones. */
export interface OwnAccounts {
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
}

/** The column of a line that stores an account. */
type AccountColumn = keyof OwnAccounts;

/**
 * Returns the accounts of lines, each with its use and the index of its line.
 * @param expense the use of expense accounts: a line of a bill can be posted to an asset, too
 */
export const namedBy = (
  lines: readonly OwnAccounts[],
  expense: 'expense' | 'bill' = 'expense',
): (AccountUse & { at: number; column: AccountColumn })[] =>
  lines.flatMap((line, at) =>
    OF_PRODUCTS.flatMap((kind) => {
      const column = `${kind}_account_id` as const;
      const account_id = line[column];
      return account_id ? [{ account_id, use: kind === 'expense' ? expense : kind, at, column }] : [];
    }),
  );

/**
 * The lines as they can be booked, for what has happened and cannot be refused any more.
 * Chosen: an account that takes no entries, whatever became of it, is replaced by the usual one, and the entry says so.
 * Then nothing waits for somebody to mend the product, and what the product names later counts from then on.
 */
export async function bookable<Line extends OwnAccounts>(
  db: Db,
  lines: readonly Line[],
  expense?: 'expense' | 'bill',
): Promise<{ lines: Line[]; note: string }> {
  const named = namedBy(lines, expense);
  const reasons = await refusals(db, named);
  const refused = named.filter((_, at) => reasons[at] !== null);
  const without = refused.map(({ at, column }) => ({ at, none: { [column]: null } }));
  return {
    lines: lines.map((line, at) =>
      Object.assign({ ...line }, ...without.filter((one) => one.at === at).map((one) => one.none)),
    ),
    note: refused.length > 0 ? ' (on the usual account: that of the product takes no entries)' : '',
  };
}
