/** How warehouses are shown. */
import { type Caller, readOne, type Sql, sql, type View } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { Warehouse } from './warehouse.schema.ts';

/** What this caller may do with a warehouse. The default one stays active. */
const actions = ({ permissions }: Caller): Sql =>
  permissions.includes('warehouse.update')
    ? sql`CASE WHEN warehouses.is_default THEN ARRAY['update']
        WHEN warehouses.active THEN ARRAY['update', 'make_default', 'archive']
        ELSE ARRAY['update', 'make_default', 'restore'] END`
    : sql`ARRAY[]::text[]`;

export const warehouseView = (caller: Caller): View => ({
  table: 'warehouses',
  compute: {
    product_count: sql`
      SELECT count(*) FROM stock_levels WHERE stock_levels.warehouse_id = warehouses.id AND on_hand <> 0`,
    stock_value: sql`
      SELECT coalesce(sum(value), 0) FROM stock_levels WHERE stock_levels.warehouse_id = warehouses.id`,
    allowed_actions: actions(caller),
  },
});

export const readWarehouse = (db: Db, caller: Caller, id: string) => readOne(db, Warehouse, id, warehouseView(caller));
