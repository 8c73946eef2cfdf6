/** Queries for the catalogue and stock methods. */
import { sql } from '@suite/chassis/database';
import type {
  Availability,
  Product,
  StockedProduct,
  StockPlace,
  Tax,
  Warehouse,
} from '@suite/proto/inventory/v1/inventory';
import type { Db } from '../operations.ts';

const taxColumns = sql`taxes.id AS tax_id, taxes.name, trim_scale(taxes.rate)::text AS rate, taxes.kind, taxes.inclusive,
  taxes.compound, taxes.active`;

/** Returns products by ID with their taxes in order of application, in one statement. */
export const productsOf = (db: Db, ids: readonly string[]): Promise<Product[]> =>
  db.rows<Product>(sql`
    SELECT product.id AS product_id, product.name, product.sku, product.type, coalesce(product.description, '') AS description,
      trim_scale(product.sale_price)::text AS sale_price, trim_scale(product.purchase_price)::text AS purchase_price,
      coalesce(product.unit_id::text, '') AS unit_id, coalesce(unit.name, '') AS unit_name, product.track_stock,
      coalesce(product.income_account_id::text, '') AS income_account_id,
      coalesce(product.expense_account_id::text, '') AS expense_account_id,
      coalesce(product.stock_account_id::text, '') AS stock_account_id, product.active, levied.taxes
    FROM products AS product LEFT JOIN units AS unit ON unit.id = product.unit_id
    CROSS JOIN LATERAL (
      SELECT coalesce(json_agg(tax ORDER BY tax.position), '[]') AS taxes FROM (
        SELECT product_taxes.position, ${taxColumns} FROM product_taxes JOIN taxes ON taxes.id = product_taxes.tax_id
        WHERE product_taxes.product_id = product.id) AS tax) AS levied
    WHERE product.id = ANY(${ids}::uuid[])`);

/** Returns taxes by ID. */
export const taxesOf = (db: Db, ids: readonly string[]): Promise<Tax[]> =>
  db.rows<Tax>(sql`SELECT ${taxColumns} FROM taxes WHERE id = ANY(${ids}::uuid[])`);

/** Returns warehouses by ID. Without IDs, returns all active ones. */
export const warehousesOf = (db: Db, ids: readonly string[]): Promise<Warehouse[]> =>
  db.rows<Warehouse>(sql`
    SELECT id AS warehouse_id, name, code, is_default, active, updated_at FROM warehouses
    WHERE ${ids.length > 0 ? sql`id = ANY(${ids}::uuid[])` : sql`active`} ORDER BY is_default DESC, name, id`);

/** Returns the available quantities at stock locations. Zero for a location that never had stock. */
export const availabilityOf = (db: Db, places: readonly StockPlace[]): Promise<Availability[]> =>
  db.rows<Availability>(sql`
    SELECT place.product_id, place.warehouse_id, trim_scale(coalesce(level.on_hand, 0))::text AS on_hand,
      trim_scale(coalesce(level.reserved, 0))::text AS reserved,
      trim_scale(coalesce(level.on_hand - level.reserved, 0))::text AS available,
      trim_scale(round(coalesce(level.value / nullif(level.on_hand, 0), 0), 6))::text AS average_cost
    FROM unnest(${places.map((place) => place.product_id)}::uuid[], ${places.map((place) => place.warehouse_id)}::uuid[])
      WITH ORDINALITY AS place (product_id, warehouse_id, at)
    LEFT JOIN stock_levels AS level
      ON level.product_id = place.product_id AND level.warehouse_id = place.warehouse_id
    ORDER BY place.at`);

/**
 * Returns the products in stock in a warehouse by name, with their availability. A product with stock is never
 * archived.
 * @param wanted.q part of the name or of the SKU, case-insensitive
 */
export async function stockedProducts(
  db: Db,
  { warehouse_id, q, limit }: { warehouse_id: string; q: string; limit: number },
): Promise<StockedProduct[]> {
  const found = await db.rows<{ product_id: string }>(sql`
    SELECT product.id AS product_id FROM stock_levels AS level JOIN products AS product ON product.id = level.product_id
    WHERE level.warehouse_id = ${warehouse_id}::uuid AND level.on_hand <> 0
      AND position(lower(${q}) IN lower(product.name || ' ' || product.sku)) > 0
    ORDER BY product.name, product.id LIMIT ${limit}`);
  const ids = found.map(({ product_id }) => product_id);
  const products = await productsOf(db, ids);
  const levels = ids.map((product_id) => ({ product_id, warehouse_id }));
  const availabilities = await availabilityOf(db, levels);
  const byId = new Map(products.map((product) => [product.product_id, product]));
  return availabilities.map((availability) => ({ product: byId.get(availability.product_id), availability }));
}
