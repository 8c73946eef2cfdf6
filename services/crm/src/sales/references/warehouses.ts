/** Warehouses and their stock. Both belong to inventory and are queried there. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { type ListRequest, type Page, paginate } from '@suite/chassis/lists';
import { assertActive } from '@suite/document-lines';
import type { StockedProduct, Warehouse } from '@suite/proto/inventory/v1/inventory';
import type { Db, Rpc } from '../../operations.ts';
import { CHOICES_MAX } from './choices.ts';

/** Returns the warehouses that can be selected for an order. */
export async function activeWarehouses(rpc: Rpc): Promise<Warehouse[]> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [] });
  return warehouses.filter((warehouse) => warehouse.active);
}

/**
 * Returns a page of inventory's warehouses. They are not stored here. The database only applies the list parameters to
 * them.
 */
export function listWarehouses(db: Db, request: ListRequest, allWarehouses: Warehouse[]): Promise<Page> {
  const rows = JSON.stringify(allWarehouses.map(({ warehouse_id: id, ...warehouse }) => ({ id, ...warehouse })));
  const from = sql`(
    SELECT told.*, current_setting('suite.workspace_id')::uuid AS workspace_id
    FROM jsonb_to_recordset(${rows}::jsonb) AS told (id uuid, name text, code text, is_default boolean, updated_at timestamptz))`;
  const { q, ...unsearched } = request;
  const typed = `%${(q ?? '').replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  const where = sql`suite_unaccented(warehouses.name || ' ' || warehouses.code) ILIKE suite_unaccented(${typed})`;
  return paginate(db, { ...unsearched, q: undefined }, { table: 'warehouses', from, ...(q && { where }) });
}

/**
 * Requests the warehouse in the body from inventory, before the transaction.
 * @throws a 422 that names the field, if the warehouse is unknown or archived
 */
export async function fetchWarehouse(rpc: Rpc, warehouse_id: string): Promise<Warehouse> {
  const { warehouses } = await rpc.inventory.batchGetWarehouses({ warehouse_ids: [warehouse_id] });
  return assertActive(warehouses[0], 'warehouse_id', 'warehouse');
}

/** Returns the warehouse of a new order, by default the default warehouse. @throws a 422 if there is none */
export async function warehouseFor(rpc: Rpc, warehouse_id: string | undefined): Promise<Warehouse> {
  if (warehouse_id) return await fetchWarehouse(rpc, warehouse_id);
  const usual = (await activeWarehouses(rpc)).find(({ is_default }) => is_default);
  if (!usual) throw invalid('warehouse_id', 'Choose a warehouse, because there is no default warehouse.');
  return usual;
}

interface WarehouseProductSearch {
  warehouse_id: string;
  q?: string | undefined;
  product_ids?: string[] | undefined;
}

/** Returns the named products, including products that are not in the warehouse. */
async function fetchProducts(
  rpc: Rpc,
  { warehouse_id, q = '', product_ids = [] }: WarehouseProductSearch,
): Promise<StockedProduct[]> {
  const [{ products }, { availabilities }] = await Promise.all([
    rpc.inventory.batchGetProducts({ product_ids }),
    rpc.inventory.checkAvailability({ places: product_ids.map((product_id) => ({ product_id, warehouse_id })) }),
  ]);
  const stock = new Map(availabilities.map((place) => [place.product_id, place]));
  return products
    .filter(({ active, name, sku }) => active && `${name} ${sku}`.toLowerCase().includes(q.toLowerCase()))
    .toSorted((a, b) => a.name.localeCompare(b.name))
    .map((product) => ({ product, availability: stock.get(product.product_id) }));
}

/**
 * Returns the products in a warehouse, or the active ones among the named products. Each has its available quantity
 * from inventory.
 * @throws a 422 for a warehouse that is unknown or archived
 */
export async function searchWarehouseProducts(rpc: Rpc, search: WarehouseProductSearch): Promise<StockedProduct[]> {
  await fetchWarehouse(rpc, search.warehouse_id);
  if (search.product_ids) return search.product_ids.length > 0 ? await fetchProducts(rpc, search) : [];
  const { warehouse_id, q = '' } = search;
  return (await rpc.inventory.listStockedProducts({ warehouse_id, q, limit: CHOICES_MAX })).products;
}
