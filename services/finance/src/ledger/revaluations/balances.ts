/**
 * Foreign currency balances of a revaluation. The database values and stores them, so that their number does not affect
 * the memory and the response time of the service.
 */
import { type Sql, sql } from '@suite/chassis/database';
import { minorUnits } from '@suite/money';
import type { Db } from '../../operations.ts';
import type { ReportPage } from './page.schema.ts';
import type { RevaluedSum } from './revaluation.rules.ts';
import type { RevaluationInput } from './revaluation.schema.ts';
import { signedAmount } from '../ledger/open-items.ts';

const signed = sql`sum(${signedAmount})`;

/**
 * Returns SQL for the balances on a day. An item is open on that day if it is open now, or if a later line settled it.
 * Chosen: advances are not monetary items (IAS 21.16), since they are settled in goods. They keep the rate of their
 * payment.
 */
const balancesOn = (date: string, base_currency: string): Sql => sql`
  WITH control AS MATERIALIZED (SELECT id, code, system_role FROM gl_accounts WHERE system_role IN ('receivable', 'payable')),
  candidate AS (
    SELECT id FROM open_items WHERE settled < amount AND NOT voided
    UNION SELECT line.open_item_id FROM journal_lines AS line
    WHERE line.account_id IN (SELECT id FROM control) AND line.date > ${date}::date AND line.open_item_id IS NOT NULL),
  balance AS MATERIALIZED (
    SELECT 'bank_account' AS kind, account.id AS account_id, account.code, NULL::uuid AS open_item_id, NULL AS number,
      account.currency, ${signed} AS amount, sum(line.debit - line.credit) AS base_before
    FROM gl_accounts AS account JOIN journal_lines AS line ON line.account_id = account.id
    WHERE account.system_role IN ('bank', 'cash') AND account.currency <> ${base_currency} AND line.date <= ${date}::date
    GROUP BY account.id HAVING ${signed} <> 0
    UNION ALL
    SELECT control.system_role, control.id, control.code, item.id, item.number,
      item.currency, ${signed}, sum(line.debit - line.credit)
    FROM candidate JOIN open_items AS item ON item.id = candidate.id JOIN control ON control.id = item.account_id
      JOIN journal_lines AS line ON line.open_item_id = item.id
    WHERE item.currency <> ${base_currency} AND line.date <= ${date}::date
    GROUP BY control.system_role, control.id, control.code, item.id HAVING ${signed} <> 0)`;

/**
 * Stores the balances of a day with their values at the rates of that day, except values that are too large. Returns
 * their sums by account and currency. The revaluation can be stored later in the same transaction.
 */
export function storeBalances(
  db: Db,
  id: string,
  { date, rates }: RevaluationInput,
  base_currency: string,
): Promise<RevaluedSum[]> {
  const [currencies, values] = [rates.map(({ currency }) => currency), rates.map(({ rate }) => rate)];
  return db.rows<RevaluedSum>(sql`
    ${balancesOn(date, base_currency)},
    valued AS MATERIALIZED (
      SELECT balance.*, round(balance.amount * given.rate, ${minorUnits(base_currency)}::int) AS base_after
      FROM balance LEFT JOIN unnest(${currencies}::text[], ${values}::numeric[]) AS given (currency, rate) USING (currency)),
    stored AS (
      INSERT INTO revaluation_lines (revaluation_id, position, kind, account_id, open_item_id, currency, amount, base_before, base_after)
      SELECT ${id}::uuid, row_number() OVER (
          ORDER BY array_position(ARRAY['bank_account', 'receivable', 'payable'], kind), code, number, open_item_id),
        kind, account_id, open_item_id, currency, amount, base_before, base_after
      FROM valued WHERE abs(base_after) < 1e15)
    SELECT kind, account_id, currency, bool_or(base_after IS NULL) AS has_no_rate,
      coalesce(bool_or(abs(base_after) >= 1e15), FALSE) AS is_too_large,
      coalesce(sum(greatest(base_after - base_before, 0)), 0)::text AS gain,
      coalesce(sum(greatest(base_before - base_after, 0)), 0)::text AS loss
    FROM valued GROUP BY kind, account_id, code, currency
    ORDER BY array_position(ARRAY['bank_account', 'receivable', 'payable'], kind), code, currency`);
}

/** Revalued balance, as in the response. */
export interface RevaluedBalance {
  kind: 'bank_account' | 'receivable' | 'payable';
  account_id: string;
  account_code: string;
  account_name: string;
  document_type: string | null;
  document_id: string | null;
  number: string | null;
  customer_id: string | null;
  vendor_id: string | null;
  currency: string;
  amount: string;
  base_before: string;
  base_after: string;
  difference: string;
}

/** Returns a page of the balances of a revaluation, and the number of all. */
export async function listBalances(
  db: Db,
  id: string,
  { page, per_page }: ReportPage,
): Promise<{ lines: RevaluedBalance[]; lines_total: number }> {
  const before = (page - 1) * per_page;
  const lines = await db.rows<RevaluedBalance>(sql`
    SELECT line.kind, account.id AS account_id, account.code AS account_code, account.name AS account_name,
      item.document_type, item.document_id, item.number, item.customer_id, item.vendor_id, line.currency, line.amount,
      line.base_before, line.base_after, line.base_after - line.base_before AS difference
    FROM revaluation_lines AS line JOIN gl_accounts AS account ON account.id = line.account_id
      LEFT JOIN open_items AS item ON item.id = line.open_item_id
    WHERE line.revaluation_id = ${id}::uuid AND line.position > ${before} AND line.position <= ${before + per_page}
    ORDER BY line.position`);
  // Positions have no gap.
  const [last] = await db.rows<{ lines_total: number }>(sql`
    SELECT coalesce(max(position), 0) AS lines_total FROM revaluation_lines WHERE revaluation_id = ${id}::uuid`);
  return { lines, lines_total: last!.lines_total };
}
