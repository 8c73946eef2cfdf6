/** Views of transfers. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, many, one, readOne, type View } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import type { z } from 'zod';
import type { Db } from '../operations.ts';
import { warehouseSummaries } from '../stock/stock.view.ts';
import { transferStates } from './transfer.rules.ts';
import { Transfer, type TransferDetails, type TransferForm } from './transfer.schema.ts';

const expansions = (db: Db): Record<string, Expansion> => ({
  from_warehouse: one('from_warehouse_id', warehouseSummaries(db)),
  to_warehouse: one('to_warehouse_id', warehouseSummaries(db)),
  lines: many('transfer_id', (ids) =>
    db.rows(sql`
      SELECT line.transfer_id, line.id, line.product_id, line.qty, line.unit_cost, line.value,
        json_build_object('id', products.id, 'name', products.name, 'sku', products.sku) AS product
      FROM transfer_lines AS line JOIN products ON products.id = line.product_id
      WHERE line.transfer_id = ANY(${ids}::uuid[]) ORDER BY line.position`),
  ),
});

export const transferView = (db: Db, caller: Caller): View => ({
  table: 'transfers',
  compute: {
    line_count: sql`SELECT count(*) FROM transfer_lines WHERE transfer_lines.transfer_id = transfers.id`,
    value: sql`SELECT coalesce(sum(value), 0) FROM transfer_lines WHERE transfer_lines.transfer_id = transfers.id`,
    allowed_actions: transferStates.shownTo(caller, 'transfers'),
  },
  expand: expansions(db),
});

/** Returns a transfer with its lines. @throws NotFound */
export const showTransfer = (db: Db, caller: Caller, id: string) =>
  readOne(db, Transfer, id, transferView(db, caller)) as Promise<z.input<typeof TransferDetails>>;

async function assertWarehouse(db: Db, id: string): Promise<void> {
  const found = await db.rows(sql`SELECT FROM warehouses WHERE id = ${id}::uuid`);
  if (found.length === 0) throw invalid('from_warehouse_id', 'Warehouse not found.');
}

/** Returns the options of a transfer form: warehouses, and the products in each. */
export async function transferForm(db: Db, { timezone }: Caller, from: string | undefined) {
  if (from) await assertWarehouse(db, from);
  const here = from ? sql`level.warehouse_id = ${from}::uuid` : sql`TRUE`;
  const products = await db.rows<z.input<typeof TransferForm>['products'][number]>(sql`
    SELECT product.id, product.name, product.sku, unit.symbol AS unit,
      json_agg(json_build_object('warehouse_id', level.warehouse_id,
        'available', trim_scale(level.on_hand - level.reserved)::text) ORDER BY level.warehouse_id) AS stock
    FROM products AS product
    JOIN stock_levels AS level ON level.product_id = product.id AND level.on_hand > level.reserved AND ${here}
    JOIN warehouses ON warehouses.id = level.warehouse_id AND warehouses.active
    LEFT JOIN units AS unit ON unit.id = product.unit_id
    GROUP BY product.id, product.name, product.sku, unit.symbol ORDER BY product.name, product.id LIMIT 500`);
  const warehouses = await db.rows<z.input<typeof TransferForm>['warehouses'][number]>(sql`
    SELECT id, name, code, is_default FROM warehouses WHERE active ORDER BY is_default DESC, name, id`);
  return { today: today(timezone), warehouses, products };
}
