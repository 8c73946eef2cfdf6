/** Allowed uses of accounts. Checked when a record stores an account ID, and again when it is posted. */
import { sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import type { SystemRole } from '../books/seeded-chart.ts';

/** Uses for which other records can specify an account. */
const OF_PRODUCTS = ['income', 'expense', 'stock'] as const;
export const USES = [...OF_PRODUCTS, 'payroll'] as const;
/** Uses of an account. `bill` is the account of a purchase invoice line. */
export type AccountPurpose = (typeof USES)[number] | 'bill';

export interface AccountUse {
  account_id: string;
  use: AccountPurpose;
}

/** Allowed account classes of each use, and the system accounts that it may also use. */
const RULES: Readonly<
  Record<AccountPurpose, { classes?: readonly string[]; roles: readonly SystemRole[]; noun?: string }>
> = {
  income: { classes: ['revenue'], roles: ['sales'], noun: 'income' },
  expense: { classes: ['expense'], roles: ['cogs', 'purchased_services'], noun: 'expenses' },
  bill: {
    classes: ['expense', 'asset'],
    roles: ['cogs', 'purchased_services', 'bank_charges'],
    noun: 'expenses or assets',
  },
  stock: { classes: ['asset'], roles: ['inventory'], noun: 'assets' },
  // Wages are expenses, and taxes are liabilities. Employee payments for meals are income.
  payroll: { roles: ['salaries_expense', 'payroll_liabilities', 'employee_advances', 'purchased_services'] },
};

interface CheckedAccount {
  id: string;
  class: string;
  is_group: boolean;
  active: boolean;
  currency: string | null;
  system_role: string | null;
}

/**
 * Returns the reason why an account cannot be used, or null. Chosen: accounts with a fixed currency are rejected,
 * because documents have their own currency.
 */
function rejectionReason(account: CheckedAccount | undefined, use: AccountPurpose): string | null {
  const rule = RULES[use];
  if (!account) return 'Account not found.';
  if (account.is_group) return 'This account is a group. Choose one below it.';
  if (!account.active) return 'This account is archived. Choose another account.';
  if (rule.classes && !rule.classes.includes(account.class)) return `Choose an account of ${rule.noun}.`;
  if (account.system_role !== null && !rule.roles.some((role) => role === account.system_role)) {
    return 'This account is reserved for another use. Choose another account.';
  }
  if (account.currency !== null) return `This account accepts only ${account.currency}. Choose another account.`;
  return null;
}

/** Returns the reason why each account cannot be used, or null. Needs one statement for any number of accounts. */
export async function rejectionReasons(db: Db, uses: readonly AccountUse[]): Promise<(string | null)[]> {
  const ids = [...new Set(uses.map(({ account_id }) => account_id))];
  if (ids.length === 0) return [];
  const rows = await db.rows<CheckedAccount>(sql`
    SELECT account.id, type.class, account.is_group, account.active, account.currency, account.system_role
    FROM gl_accounts AS account JOIN account_types AS type ON type.id = account.type_id
    WHERE account.id = ANY(${ids}::uuid[])`);
  const known = new Map(rows.map((row) => [row.id, row]));
  return uses.map(({ account_id, use }) => rejectionReason(known.get(account_id), use));
}

/** Accounts that the product of a line specifies. Null for the default accounts. */
export interface LineAccounts {
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
}

/** Column of a line that stores an account. */
type AccountColumn = keyof LineAccounts;

/**
 * Returns the accounts of lines, each with its use and the index of its line.
 * @param expense the use of expense accounts: a bill line can also be posted to an asset
 */
export const accountsOfLines = (
  lines: readonly LineAccounts[],
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
 * Returns lines that can be posted, for business events that cannot be rejected afterwards. Chosen: an account that
 * accepts no entries is replaced by the default account. The entry records the replacement. Posting therefore does not
 * wait for a correction of the product. The product's new account applies from then on.
 */
export async function withPostableAccounts<Line extends LineAccounts>(
  db: Db,
  lines: readonly Line[],
  expense?: 'expense' | 'bill',
): Promise<{ lines: Line[]; note: string }> {
  const named = accountsOfLines(lines, expense);
  const reasons = await rejectionReasons(db, named);
  const refused = named.filter((_, at) => reasons[at] !== null);
  const replacements = refused.map(({ at, column }) => ({ at, none: { [column]: null } }));
  return {
    lines: lines.map((line, at) =>
      Object.assign({ ...line }, ...replacements.filter((one) => one.at === at).map((one) => one.none)),
    ),
    note: refused.length > 0 ? ' (on the default account: the account of the product takes no entries)' : '',
  };
}
