/** Incoming goods announced by finance: approved returns that are not completed. */
import { type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../operations.ts';

interface GoodsAnnouncement {
  source_id: string;
  warehouse_id: string;
  lines: readonly { product_id: string; qty: string }[];
}

/** Stores incoming goods, except for a return that is already closed. */
export async function announceGoods(db: Db, { source_id, warehouse_id, lines }: GoodsAnnouncement): Promise<void> {
  if (lines.length === 0) return;
  const goods = JSON.stringify(lines.map(({ product_id, qty }) => ({ product_id, qty })));
  await db.rows(sql`
    INSERT INTO announced_goods (source_id, warehouse_id, lines)
    VALUES (${source_id}::uuid, ${warehouse_id}::uuid, ${goods}::jsonb) ON CONFLICT DO NOTHING`);
}

/** Closes incoming goods that were received or will not arrive. */
export async function closeAnnouncement(db: Db, source_id: string): Promise<void> {
  await db.rows(sql`
    INSERT INTO announced_goods (source_id, closed) VALUES (${source_id}::uuid, TRUE)
    ON CONFLICT (workspace_id, source_id) DO UPDATE SET closed = TRUE`);
}

/** Incoming quantity of a product for its warehouse. */
export const incomingQty: Sql = sql`
  SELECT coalesce(sum(goods.qty), 0) FROM announced_goods AS announced
  CROSS JOIN LATERAL jsonb_to_recordset(announced.lines) AS goods (product_id uuid, qty numeric)
  WHERE NOT announced.closed AND announced.warehouse_id = stock_levels.warehouse_id
    AND goods.product_id = stock_levels.product_id`;
