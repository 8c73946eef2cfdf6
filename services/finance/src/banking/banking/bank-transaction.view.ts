/** Views of bank transactions. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate, type View } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { transactionStates } from './reconciliation.rules.ts';

const runningBalance = sql`
  SELECT sum(CASE direction WHEN 'in' THEN amount ELSE - amount END) FROM bank_transactions AS before
  WHERE before.bank_account_id = bank_transactions.bank_account_id AND (before.date, before.sequence, before.position)
    <= (bank_transactions.date, bank_transactions.sequence, bank_transactions.position)`;

/** Returns the view of transactions for a caller. */
export const transactionView = (caller: Caller) =>
  ({
    table: 'bank_transactions',
    compute: {
      running_balance: runningBalance,
      currency: sql`SELECT currency FROM bank_accounts WHERE bank_accounts.id = bank_transactions.bank_account_id`,
      allowed_actions: transactionStates.shownTo(caller, 'bank_transactions'),
    },
  }) satisfies View;

interface RunningBalance {
  id: string;
  running_balance: string;
}

/** Returns the balances after the given transactions. Amounts between two transactions are summed only once. */
const balancesOf = (db: Db, ids: string[]): Promise<RunningBalance[]> =>
  db.rows<RunningBalance>(sql`
    SELECT shown.id, sum(part.amount) OVER (PARTITION BY shown.bank_account_id ORDER BY shown.date, shown.sequence, shown.position) AS running_balance
    FROM (
      SELECT id, workspace_id, bank_account_id, date, sequence, position, coalesce(lag(date) OVER earlier, '-infinity') AS from_date,
        coalesce(lag(sequence) OVER earlier, 0) AS from_sequence, coalesce(lag(position) OVER earlier, 0) AS from_position
      FROM bank_transactions WHERE id = ANY(${ids}::uuid[])
      WINDOW earlier AS (PARTITION BY bank_account_id ORDER BY date, sequence, position)) AS shown
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(CASE direction WHEN 'in' THEN between_them.amount ELSE - between_them.amount END), 0) AS amount
      FROM bank_transactions AS between_them
      WHERE between_them.workspace_id = shown.workspace_id AND between_them.bank_account_id = shown.bank_account_id
        AND (between_them.date, between_them.sequence, between_them.position) > (shown.from_date, shown.from_sequence, shown.from_position)
        AND (between_them.date, between_them.sequence, between_them.position) <= (shown.date, shown.sequence, shown.position)) AS part`);

/** Returns a page of transactions, each with its running balance. */
export async function listTransactions(db: Db, caller: Caller, request: ListRequest): Promise<Page> {
  const view = transactionView(caller);
  const found = await paginate(db, request, {
    ...view,
    compute: { ...view.compute, running_balance: sql`NULL` },
    expand: {
      bank_account: one('bank_account_id', (ids) =>
        db.rows(sql`SELECT id, bank_name, account_name, currency FROM bank_accounts WHERE id = ANY(${ids}::uuid[])`),
      ),
    },
  });
  const rows = found.rows as RunningBalance[];
  const isShown = rows.length > 0 && (request.fields?.has('running_balance') ?? true);
  const after = isShown
    ? await balancesOf(
        db,
        rows.map(({ id }) => id),
      )
    : [];
  const balances = new Map(after.map(({ id, running_balance }) => [id, running_balance]));
  return { ...found, rows: rows.map((row) => ({ ...row, running_balance: balances.get(row.id) })) };
}
