/** Warehouses store goods. Documents without a warehouse use the default one. */
import { find, sql } from '@suite/chassis/database';
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { inWarehouse } from '../operations.ts';
import { StockFilter, StockLevel } from '../stock/stock.schema.ts';
import { stockExpansions, stockView } from '../stock/stock.view.ts';
import { changeWarehouse, createWarehouse, DefaultWarehouse, removeWarehouse } from './warehouse.ts';
import { Warehouse, WarehouseChanges, WarehouseFilter, WarehouseInput } from './warehouse.schema.ts';
import { readWarehouse, warehouseView } from './warehouse.view.ts';
import { warehouseStates } from './warehouse.rules.ts';

const { query, command } = inWarehouse;

export const list = query('GET /api/warehouse', {
  summary: 'List warehouses',
  description:
    'Returns warehouses with their status and allowed actions, active and archived. `is_default` marks the default warehouse.',
  access: can('warehouse.view'),
  query: WarehouseFilter,
  reply: page(Warehouse),
  handle: ({ db, query, caller }) => paginate(db, query, warehouseView(caller)),
});

export const create = command('POST /api/warehouse/create', {
  summary: 'Create a warehouse',
  description: 'Creates a warehouse with a unique code. The first warehouse becomes the default.',
  access: can('warehouse.create'),
  body: WarehouseInput,
  reply: created(Warehouse),
  handle: async ({ db, body, caller }) => readWarehouse(db, caller, await createWarehouse(db, body)),
});

export const update = command('POST /api/warehouse/update/{warehouse_id}', {
  summary: 'Update a warehouse',
  description:
    'Updates a warehouse. `active: false` archives it and requires zero stock. Returns `default_warehouse` if you archive the default warehouse.',
  access: warehouseStates.can('update', 'make_default', 'archive', 'restore'),
  params: { warehouse_id: idOf('warehouses') },
  body: WarehouseChanges,
  reply: ok(Warehouse),
  faults: [DefaultWarehouse],
  async handle({ db, params, body, caller, expect }) {
    await changeWarehouse(db, params.warehouse_id, body, expect);
    return await readWarehouse(db, caller, params.warehouse_id);
  },
});

export const remove = command('DELETE /api/warehouse/delete/{warehouse_id}', {
  summary: 'Delete a warehouse',
  description:
    'Deletes a warehouse that never had stock. Returns 409 `in_use` if a movement or document refers to it. Archive it with `active: false` instead.',
  access: warehouseStates.can('delete'),
  params: { warehouse_id: idOf('warehouses') },
  reply: removed,
  faults: [DefaultWarehouse],
  deletes: 'inventory.warehouse',
  handle: ({ db, params }) => removeWarehouse(db, params.warehouse_id),
});

export const products = query('GET /api/warehouse/product/{warehouse_id}', {
  summary: 'List the products of a warehouse',
  description: 'Returns the products with stock in the warehouse now or earlier, with their available quantity.',
  access: can('warehouse.view'),
  params: { warehouse_id: idOf('warehouses') },
  query: StockFilter,
  reply: page(StockLevel),
  async handle({ db, params, query }) {
    const { id } = await find(db.warehouse, params.warehouse_id);
    const where = sql`stock_levels.warehouse_id = ${id}::uuid`;
    return await paginate(db, query, { ...stockView, where, expand: stockExpansions(db) });
  },
});
