/** Views of warehouses. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { readOne, type View } from '@suite/chassis/lists';
import type { Db } from '../operations.ts';
import { Warehouse } from './warehouse.schema.ts';
import { warehouseStates } from './warehouse.rules.ts';

const state = sql`
  CASE WHEN warehouses.is_default THEN 'default' WHEN warehouses.active THEN 'active' ELSE 'archived' END`;

export const warehouseView = (caller: Caller): View => ({
  table: 'warehouses',
  compute: {
    product_count: sql`
      SELECT count(*) FROM stock_levels WHERE stock_levels.warehouse_id = warehouses.id AND on_hand <> 0`,
    stock_value: sql`
      SELECT coalesce(sum(value), 0) FROM stock_levels WHERE stock_levels.warehouse_id = warehouses.id`,
    allowed_actions: warehouseStates.shownTo(caller, 'warehouses', state),
  },
});

export const readWarehouse = (db: Db, caller: Caller, id: string) => readOne(db, Warehouse, id, warehouseView(caller));
