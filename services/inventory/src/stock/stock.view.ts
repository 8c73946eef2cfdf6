/** Views of stock levels. */
import { type Sql, sql } from '@suite/chassis/database';
import { type Expansion, one, type View } from '@suite/chassis/lists';
import type { Db } from '../operations.ts';
import { incomingQty } from './announced-goods.ts';

/** Returns the average cost per unit, or null without stock. */
export const averageOf = (value: Sql, on_hand: Sql): Sql =>
  sql`round(coalesce(${value} / nullif(${on_hand}, 0), 0), 6)`;

export const stockView: View & { compute: NonNullable<View['compute']> } = {
  table: 'stock_levels',
  compute: {
    available: sql`on_hand - reserved`,
    average_cost: averageOf(sql`value`, sql`on_hand`),
    incoming: sql`SELECT (${incomingQty}) + (
      SELECT coalesce(sum(line.qty), 0) FROM transfer_lines AS line
      JOIN transfers ON transfers.id = line.transfer_id AND transfers.status = 'in_transit'
      WHERE line.product_id = stock_levels.product_id AND transfers.to_warehouse_id = stock_levels.warehouse_id)`,
  },
};

export const productSummaries = (db: Db) => (ids: string[]) =>
  db.rows<{ id: string }>(sql`SELECT id, name, sku FROM products WHERE id = ANY(${ids}::uuid[])`);

export const warehouseSummaries = (db: Db) => (ids: string[]) =>
  db.rows<{ id: string }>(sql`SELECT id, name, code FROM warehouses WHERE id = ANY(${ids}::uuid[])`);

export const stockExpansions = (db: Db): Record<string, Expansion> => ({
  product: one('product_id', productSummaries(db)),
  warehouse: one('warehouse_id', warehouseSummaries(db)),
});
