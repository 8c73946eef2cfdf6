/** Warehouses belong to inventory; it is asked which there are, and what lies in them. */
import { invalid, type ListRequest, type Page, paginate, sql } from '@suite/chassis';
import type { Warehouse } from '@suite/proto/inventory/v1/inventory';
import { CHOICES_MAX } from '../choices.ts';
import type { Db, Read, Rpc } from '../operations.ts';

/** The warehouses that goods can be taken from. */
export async function activeWarehouses(rpc: Rpc): Promise<Warehouse[]> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [] });
  return warehouses.filter((warehouse) => warehouse.active);
}

/** One page of warehouses that inventory has told of: the database, which has none, speaks the grammar of lists for them. */
export function listWarehouses(db: Db, request: ListRequest, told: Warehouse[]): Promise<Page> {
  const rows = JSON.stringify(told.map(({ warehouse_id: id, ...warehouse }) => ({ id, ...warehouse })));
  const from = sql`(
    SELECT told.*, current_setting('suite.workspace_id')::uuid AS workspace_id
    FROM jsonb_to_recordset(${rows}::jsonb) AS told (id uuid, name text, code text, is_default boolean, updated_at timestamptz))`;
  const typed = `%${(request.q ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const where = sql`warehouses.name || ' ' || warehouses.code ILIKE ${typed}`;
  return paginate(db, { ...request, q: undefined }, { table: 'warehouses', from, where });
}

/**
 * Asks inventory for the warehouse that a body names; before the transaction.
 * @throws a 422 that names the field, for one that is unknown there or archived
 */
export async function askForWarehouse(rpc: Rpc, warehouse_id: string): Promise<Warehouse> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [warehouse_id] });
  const [warehouse] = warehouses;
  if (!warehouse?.active) throw invalid('warehouse_id', 'There is no such warehouse.');
  return warehouse;
}

/** The warehouse of a new order: the one that is named, else the default one. @throws a 422 where there is none */
export async function warehouseFor(rpc: Rpc, warehouse_id: string | undefined): Promise<Warehouse> {
  if (warehouse_id) return await askForWarehouse(rpc, warehouse_id);
  const usual = (await activeWarehouses(rpc)).find(({ is_default }) => is_default);
  if (!usual) throw invalid('warehouse_id', 'Choose a warehouse: there is no default one.');
  return usual;
}

/**
 * The active products that lie in a warehouse, with what can be promised of each. Which they are is known from inventory's
 * events; names, prices and quantities are asked for.
 */
export async function productsIn(
  { rpc, read }: { rpc: Rpc; read: Read },
  {
    warehouse_id,
    q = '',
    product_ids,
  }: { warehouse_id: string; q?: string | undefined; product_ids?: string[] | undefined },
) {
  const warehouse = await askForWarehouse(rpc, warehouse_id);
  const stocked = await read((db) =>
    db.rows<{ product_id: string }>(sql`
      SELECT product_id FROM stocked_products WHERE warehouse_id = ${warehouse_id}::uuid AND on_hand <> 0
      ORDER BY product_id LIMIT ${CHOICES_MAX}`),
  );
  const wanted = product_ids ?? stocked.map(({ product_id }) => product_id);
  if (wanted.length === 0) return { warehouse, products: [] };
  const [{ products }, { availabilities }] = await Promise.all([
    rpc.inventory.batchGetProducts({ product_ids: wanted }),
    rpc.inventory.checkAvailability({ places: wanted.map((product_id) => ({ product_id, warehouse_id })) }),
  ]);
  const stock = new Map(availabilities.map((place) => [place.product_id, place]));
  const typed = q.toLowerCase();
  const chosen = products
    .filter(({ active, name, sku }) => active && `${name} ${sku}`.toLowerCase().includes(typed))
    .toSorted((a, b) => a.name.localeCompare(b.name));
  return { warehouse, products: chosen.map((product) => ({ product, stock: stock.get(product.product_id) })) };
}
