/** Comparison of the stock accounts with inventory's stock value, less the events that are not posted yet. */
import { sql } from '@suite/chassis/database';
import { isZero, roundTo, subtract, sum } from '@suite/money';
import type { GetStockValueResponse, StockBooking } from '@suite/proto/inventory/v1/inventory';
import { rejectionReasons } from '../../ledger/accounts/usable-accounts.ts';
import type { Db } from '../../operations.ts';
import { compareGoodsInTransit } from './goods-in-transit.ts';

/** Placeholder for the default account if no books exist yet. */
const NO_BOOKS = '00000000-0000-0000-0000-000000000000';

/** Inventory's stock values. */
export type StockValue = Pick<GetStockValueResponse, 'value' | 'accounts' | 'recent' | 'sources'>;

/**
 * Returns the newest stock changes that inventory has announced and finance has not posted yet. Their events are in
 * transit or dead letters.
 */
async function pendingOf(db: Db, recent: readonly StockBooking[]): Promise<StockBooking[]> {
  if (recent.length === 0) return [];
  const rows = await db.rows<{ at: number }>(sql`
    SELECT told.at::int FROM jsonb_to_recordset(${JSON.stringify(recent.map((one, at) => ({ ...one, at })))}::jsonb)
      AS told (at int, type text, id text, source_id uuid)
    WHERE NOT EXISTS (
      SELECT FROM journal_entries AS entry
      WHERE entry.source_type = CASE told.type WHEN 'adjustment' THEN 'stock_adjustment' ELSE 'pos_order' END
        AND entry.source_id = told.source_id
        AND (told.type <> 'pos_refund' AND entry.purpose = 'post'
          OR told.type = 'pos_refund' AND entry.purpose IN ('refund ' || told.id, 'reversal of post')))
    ORDER BY told.at`);
  return rows.map(({ at }) => recent[at]!);
}

/** Returns inventory's stock value by account. Products without an account count on the default one. */
async function stockByAccount(
  db: Db,
  { accounts }: StockValue,
  usual: string,
  currency: string,
): Promise<Map<string, string>> {
  const named = accounts.filter(({ stock_account_id }) => stock_account_id !== '');
  const reasons = await rejectionReasons(
    db,
    named.map(({ stock_account_id: account_id }) => ({ account_id, use: 'stock' })),
  );
  const refused = new Set(named.filter((_, at) => reasons[at] !== null).map((one) => one.stock_account_id));
  const held = new Map([[usual, '0']]);
  for (const { stock_account_id, value } of accounts) {
    const id = stock_account_id === '' || refused.has(stock_account_id) ? usual : stock_account_id;
    held.set(id, sum([held.get(id) ?? '0', roundTo(value, currency)], currency));
  }
  return held;
}

interface StockAccount {
  id: string;
  code: string;
  name: string;
  booked: string;
}

/**
 * Returns all stock accounts with their balances: accounts of products, accounts of invoice lines, and the default
 * account.
 */
const readStockAccounts = (db: Db, ids: readonly string[]): Promise<StockAccount[]> =>
  db.rows<StockAccount>(sql`
    SELECT account.id, account.code, account.name,
      coalesce((SELECT sum(debit - credit) FROM journal_lines WHERE account_id = account.id), 0)::text AS booked
    FROM gl_accounts AS account JOIN account_types AS type ON type.id = account.type_id
    WHERE account.id = ANY(${ids}::uuid[]) OR type.class = 'asset' AND account.system_role IS NULL AND NOT account.is_group
      AND account.id IN (SELECT stock_account_id FROM invoice_lines WHERE stock_account_id IS NOT NULL)
    ORDER BY account.code`);

/** Compares both values by account. While events are pending, only the totals can be compared. */
export async function compareStock(db: Db, stock: StockValue, currency: string) {
  const [usual] = await db.rows<{ id: string }>(sql`SELECT id FROM gl_accounts WHERE system_role = 'inventory'`);
  const held = await stockByAccount(db, stock, usual?.id ?? NO_BOOKS, currency);
  const found = await readStockAccounts(db, [...held.keys()]);
  const accounts = found.map(({ booked: exact, ...account }) => {
    const there = held.get(account.id) ?? '0';
    const on_it = roundTo(exact, currency);
    return { ...account, booked: on_it, stock: there, difference: subtract(on_it, there, currency) };
  });
  const booked = sum(
    accounts.map((one) => one.booked),
    currency,
  );
  const value = roundTo(stock.value, currency);
  const ids = accounts.map(({ id }) => id);
  const pending = [
    ...(await pendingOf(db, stock.recent)),
    ...(await compareGoodsInTransit(db, stock.sources, ids, currency)),
  ];
  const to_book = sum(
    pending.map(({ value }) => roundTo(value, currency)),
    currency,
  );
  const difference = subtract(sum([booked, to_book], currency), value, currency);
  const wrong = accounts.filter((one) => !isZero(one.difference));
  const holds = isZero(difference) && (pending.length > 0 || wrong.length === 0);
  return {
    check: {
      name: 'stock accounts match the stock value, less what is still to be booked',
      holds,
      violations: holds
        ? []
        : wrong.map((one) => `${one.code} ${one.name}: ${one.booked} booked, ${one.stock} in stock`),
    },
    inventory: { booked, stock: value, pending: to_book, difference, accounts },
    pending: pending.map(({ type, id, number, business_date, value }) => ({
      type,
      id,
      number: number || null,
      business_date,
      value: roundTo(value, currency),
    })),
  };
}
