/** View of the chart of accounts as a tree, with balances from the journal. */
import { type Sql, sql } from '@suite/chassis/database';
import { sum } from '@suite/money';
import type { Db } from '../../operations.ts';
import { viewBooks } from '../books/books.ts';
import type { ChartNode } from './account.schema.ts';
import type { Caller } from '@suite/chassis/identity';

/** SQL for the balance of an account, on the normal side of its type. */
export const accountBalance: Sql = sql`
  SELECT coalesce(sum(CASE type.normal WHEN 'debit' THEN line.debit - line.credit ELSE line.credit - line.debit END), 0)
  FROM journal_lines AS line, account_types AS type
  WHERE line.account_id = gl_accounts.id AND type.id = gl_accounts.type_id`;

type AccountRow = Omit<ChartNode, 'accounts' | 'balance'> & { parent_id: string | null; balance: string };

/** Returns all accounts, each below its group. Groups have the total balance of their accounts. */
export async function readChart(db: Db, caller: Caller): Promise<ChartNode[]> {
  const rows = await db.rows<AccountRow>(sql`
    SELECT gl_accounts.id, gl_accounts.parent_id, gl_accounts.code, gl_accounts.name, type.class, gl_accounts.is_group,
      gl_accounts.currency, gl_accounts.system_role, gl_accounts.active, gl_accounts.updated_at,
      coalesce(CASE type.normal WHEN 'debit' THEN total.debit - total.credit ELSE total.credit - total.debit END, 0) AS balance
    FROM gl_accounts JOIN account_types AS type ON type.id = gl_accounts.type_id
      LEFT JOIN (SELECT account_id, sum(debit) AS debit, sum(credit) AS credit FROM journal_lines GROUP BY account_id) AS total
        ON total.account_id = gl_accounts.id
    ORDER BY gl_accounts.code`);
  if (rows.length === 0) return [];
  const { base_currency } = await viewBooks(db, caller);
  const below = Map.groupBy(rows, ({ parent_id }) => parent_id);
  const branch = (parent: string | null): ChartNode[] =>
    (below.get(parent) ?? []).map(({ parent_id: _, ...account }) => {
      const accounts = branch(account.id);
      const balances = [account.balance, ...accounts.map(({ balance }) => balance as string)];
      return { ...account, accounts, balance: sum(balances, base_currency) };
    });
  return branch(null);
}
