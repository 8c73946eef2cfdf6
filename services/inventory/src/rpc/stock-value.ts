/** Queries for the stock value methods, for comparisons with the ledger. */
import { sql } from '@suite/chassis/database';
import type { AccountValue, OrderReservation, SourceValue, StockBooking } from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../operations.ts';
import type { MovementSource } from '../movements/movement.ts';

/** Returns the value of all stock. */
export async function stockValue(db: Db): Promise<string> {
  const [all] = await db.rows<{ value: string }>(sql`
    SELECT trim_scale(coalesce(sum(value), 0))::text AS value FROM stock_levels`);
  return all!.value;
}

/** Returns the value by stock account, including accounts of products without stock. */
export const valueByAccount = (db: Db): Promise<AccountValue[]> =>
  db.rows<AccountValue>(sql`
    SELECT coalesce(product.stock_account_id::text, '') AS stock_account_id,
      trim_scale(coalesce(sum(level.value), 0))::text AS value
    FROM products AS product LEFT JOIN stock_levels AS level ON level.product_id = product.id
    WHERE level.id IS NOT NULL OR product.stock_account_id IS NOT NULL GROUP BY product.stock_account_id ORDER BY 1`);

const MAX_POSTINGS = 500;

/** Returns the latest stock postings of finance, of each kind. Value corrections are movements without a quantity. */
export const recentPostings = (db: Db): Promise<StockBooking[]> =>
  db.rows<StockBooking>(sql`
    (SELECT 'adjustment' AS type, id::text AS id, id::text AS source_id, '' AS number, business_date::text AS business_date,
        trim_scale(value)::text AS value
      FROM stock_adjustments WHERE value <> 0 ORDER BY created_at DESC, id DESC LIMIT ${MAX_POSTINGS})
    UNION ALL
    (SELECT 'adjustment', id::text, id::text, '', business_date::text, trim_scale(value)::text
      FROM stock_movements WHERE qty = 0 AND value <> 0 AND at > clock_timestamp() - interval '1 day'
      ORDER BY at DESC LIMIT ${MAX_POSTINGS})
    UNION ALL
    (SELECT 'pos_order', id::text, id::text, number, business_date::text, trim_scale(-cost)::text
      FROM pos_orders WHERE total <> 0 OR cost <> 0 ORDER BY created_at DESC, id DESC LIMIT ${MAX_POSTINGS})
    UNION ALL
    (SELECT 'pos_refund', id::text, pos_order_id::text, number, business_date::text, trim_scale(restocked_cost)::text
      FROM pos_refunds WHERE total <> 0 OR restocked_cost <> 0 ORDER BY id DESC LIMIT ${MAX_POSTINGS})`);

/** Returns the change in stock value by document. */
export async function valueOfSources(
  db: Db,
  sources: readonly (MovementSource & { number: string })[],
): Promise<SourceValue[]> {
  const rows = await db.rows<{ at: number; value: string }>(sql`
    SELECT source.at::integer, trim_scale(coalesce(sum(movement.value), 0))::text AS value
    FROM unnest(${sources.map(({ type }) => type)}::text[], ${sources.map(({ id }) => id)}::text[])
      WITH ORDINALITY AS source (type, id, at)
    LEFT JOIN stock_movements AS movement ON movement.source_type = source.type AND movement.source_id = source.id
    GROUP BY source.at ORDER BY source.at`);
  return rows.map(({ at, value }) => ({ source: sources[at - 1], value }));
}

/** Returns the unused reserved quantities of orders, by line. */
export const reservationsOf = (db: Db, order_ids: readonly string[]): Promise<OrderReservation[]> =>
  db.rows<OrderReservation>(sql`
    SELECT source_id AS sales_order_id, source_line AS line_id, trim_scale(sum(qty - consumed))::text AS qty
    FROM reservations WHERE source_type = 'sales_order' AND status = 'active' AND source_id = ANY(${order_ids}::text[])
    GROUP BY source_id, source_line ORDER BY source_id, source_line`);
