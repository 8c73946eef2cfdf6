/** Statements from the journal, for a day or a period: trial balance, profit and loss, balance sheet. */
import { empty, sql } from '@suite/chassis/database';
import { subtract, sum } from '@suite/money';
import type { Books } from '../../ledger/books/books.ts';
import type { Db } from '../../operations.ts';

interface AccountBalance {
  id: string;
  code: string;
  name: string;
  type: string;
  class: string;
  debit: string;
  credit: string;
  balance: string;
}

/** Books of a report. */
export interface ReportBooks extends Books {
  workspace_id: string;
}

/**
 * Returns debits and credits of every account with entries. The lines are summed once, regardless of the planner's
 * estimate of the number of accounts. The workspace already limits every statement. Naming it explicitly evaluates the
 * condition once, and not for each of a million lines.
 * @param from the first day. Defaults to the beginning
 */
const balances = (db: Db, { workspace_id }: ReportBooks, to: string, from?: string): Promise<AccountBalance[]> =>
  db.rows<AccountBalance>(sql`
    WITH line AS MATERIALIZED (
      SELECT account_id, sum(debit) AS debit, sum(credit) AS credit FROM journal_lines
      WHERE workspace_id = ${workspace_id}::uuid AND date <= ${to}::date ${from ? sql`AND date >= ${from}::date` : empty}
      GROUP BY account_id)
    SELECT account.id, account.code, account.name, type.code AS type, type.class, line.debit, line.credit,
      line.debit - line.credit AS balance
    FROM line JOIN gl_accounts AS account ON account.id = line.account_id
      JOIN account_types AS type ON type.id = account.type_id
    ORDER BY account.code`);

/** Returns the first day of the fiscal year that contains a day. */
export function fiscalYear(day: string, { fiscal_year_start }: Pick<Books, 'fiscal_year_start'>): string {
  const year = Number(day.slice(0, 4));
  return day.slice(5) >= fiscal_year_start ? `${year}-${fiscal_year_start}` : `${year - 1}-${fiscal_year_start}`;
}

export async function trialBalance(db: Db, books: ReportBooks, as_of: string) {
  const { base_currency: currency } = books;
  const accounts = await balances(db, books, as_of);
  const total = (side: 'debit' | 'credit') =>
    sum(
      accounts.map((account) => account[side]),
      currency,
    );
  const [debit_total, credit_total] = [total('debit'), total('credit')];
  return {
    as_of,
    currency,
    accounts,
    debit_total,
    credit_total,
    difference: subtract(debit_total, credit_total, currency),
  };
}

/** Returns the accounts of some classes or types, with balances on their normal side. */
function section(
  accounts: readonly AccountBalance[],
  grows: 'debit' | 'credit',
  currency: string,
  of: (account: AccountBalance) => boolean,
) {
  const chosen = accounts.filter(of).map(({ id, code, name, type, balance }) => ({
    id,
    code,
    name,
    type,
    amount: grows === 'debit' ? balance : subtract('0', balance, currency),
  }));
  return {
    accounts: chosen,
    total: sum(
      chosen.map(({ amount }) => amount),
      currency,
    ),
  };
}

const isCost = ({ type }: AccountBalance) => type === 'cost_of_sales';

export async function profitAndLoss(db: Db, books: ReportBooks, from: string, to: string) {
  const { base_currency: currency } = books;
  const accounts = await balances(db, books, to, from);
  const revenue = section(accounts, 'credit', currency, (one) => one.class === 'revenue');
  const cost = section(accounts, 'debit', currency, isCost);
  const expenses = section(accounts, 'debit', currency, (one) => one.class === 'expense' && !isCost(one));
  const gross_profit = subtract(revenue.total, cost.total, currency);
  return {
    from,
    to,
    currency,
    gross_profit,
    revenue: revenue.accounts,
    cost_of_sales: cost.accounts,
    expenses: expenses.accounts,
    revenue_total: revenue.total,
    cost_of_sales_total: cost.total,
    expenses_total: expenses.total,
    net_profit: subtract(gross_profit, expenses.total, currency),
  };
}

/** Returns the profit up to a day since the books were opened: revenue less expenses. */
const earnings = (accounts: readonly AccountBalance[], currency: string) =>
  section(accounts, 'credit', currency, (one) => one.class === 'revenue' || one.class === 'expense').total;

export async function balanceSheet(db: Db, books: ReportBooks, as_of: string) {
  const { base_currency: currency } = books;
  const accounts = await balances(db, books, as_of);
  const year = await balances(db, books, as_of, fiscalYear(as_of, books));
  const of = (name: string) => (account: AccountBalance) => account.class === name;
  const assets = section(accounts, 'debit', currency, of('asset'));
  const liabilities = section(accounts, 'credit', currency, of('liability'));
  const equity = section(accounts, 'credit', currency, of('equity'));
  const [all, current] = [earnings(accounts, currency), earnings(year, currency)];
  const equity_total = sum([equity.total, all], currency);
  return {
    as_of,
    currency,
    assets: assets.accounts,
    liabilities: liabilities.accounts,
    equity: equity.accounts,
    earnings_before: subtract(all, current, currency),
    earnings: current,
    equity_total,
    assets_total: assets.total,
    liabilities_total: liabilities.total,
    difference: subtract(assets.total, sum([liabilities.total, equity_total], currency), currency),
  };
}
