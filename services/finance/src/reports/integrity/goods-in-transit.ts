/**
 * Documents whose goods and journal entries are at different steps, such as a cancelled invoice before its goods
 * return. Inventory's value of such a document differs from the ledger until the goods have moved.
 */
import { sql } from '@suite/chassis/database';
import { isZero, roundTo, subtract } from '@suite/money';
import type { SourceValue, StockSource } from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../../operations.ts';

/** Returns the documents with goods in transit, as inventory knows them. */
export const documentsInTransit = (db: Db): Promise<StockSource[]> =>
  db.rows<StockSource>(sql`
    SELECT DISTINCT document_type AS type, document_id::text AS id, '' AS number FROM stock_sagas
    WHERE state NOT IN ('settled', 'reversed')`);

/** Document with a stock move in progress, and the pending change of the ledger's stock value. */
export interface GoodsInTransit {
  type: string;
  id: string;
  number: string;
  business_date: string;
  value: string;
}

interface BookedValue {
  id: string;
  number: string | null;
  date: string;
  booked: string;
}

/** Compares both values of each document. @param accounts the stock accounts */
export async function compareGoodsInTransit(
  db: Db,
  sources: readonly SourceValue[],
  accounts: readonly string[],
  currency: string,
): Promise<GoodsInTransit[]> {
  const ids = sources.flatMap(({ source }) => source?.id ?? []);
  if (ids.length === 0) return [];
  const rows = await db.rows<BookedValue>(sql`
    SELECT asked.id, coalesce(item.number, back.number, taken.number) AS number,
      coalesce(item.date, back.return_date, taken.return_date, CURRENT_DATE)::text AS date, (
        SELECT coalesce(sum(line.debit - line.credit), 0) FROM journal_entries AS entry
          JOIN journal_lines AS line ON line.entry_id = entry.id AND line.account_id = ANY(${accounts}::uuid[])
        WHERE entry.source_id = asked.id)::text AS booked
    FROM unnest(${ids}::uuid[]) AS asked (id)
      LEFT JOIN open_items AS item ON item.document_id = asked.id AND item.document_type IN ('sales_invoice', 'purchase_invoice')
      LEFT JOIN sales_returns AS back ON back.id = asked.id LEFT JOIN purchase_returns AS taken ON taken.id = asked.id`);
  const known = new Map(rows.map((row) => [row.id, row]));
  return sources.flatMap(({ source, value }) => {
    const row = known.get(source?.id ?? '');
    if (!row || !source) return [];
    // Either inventory or the ledger is a step ahead.
    const rest = subtract(roundTo(value, currency), roundTo(row.booked, currency), currency);
    const { type, id } = source;
    return isZero(rest) ? [] : [{ type, id, number: row.number ?? '', business_date: row.date, value: rest }];
  });
}
