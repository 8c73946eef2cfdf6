/** Stock locations: a product in a warehouse. Movements lock their locations first, always in the same order. */
import { randomUUIDv7 } from 'node:crypto';
import { batch, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Db } from '../operations.ts';
import { Decimal } from './decimal.ts';

export interface StockLocationRef {
  product_id: string;
  warehouse_id: string;
}

/** Locked stock location with its values before the movement. */
export interface StockLocation extends StockLocationRef {
  level_id: string;
  on_hand: Decimal;
  reserved: Decimal;
  value: Decimal;
  allow_negative: boolean;
  reorder_level: Decimal | null;
  purchase_price: Decimal;
  stock_account_id: string | null;
}

interface LockedProduct extends StockLocationRef {
  tracked: boolean;
  has_warehouse: boolean;
  allow_negative: boolean;
  reorder_level: string | null;
  purchase_price: string;
  stock_account_id: string | null;
}

interface LockedLevel extends StockLocationRef {
  id: string;
  on_hand: string;
  reserved: string;
  value: string;
}

export const locationKey = ({ product_id, warehouse_id }: StockLocationRef): string => `${product_id} ${warehouse_id}`;

/** Returns the distinct stock locations of lines, in lock order. */
function locationsOf(lines: readonly StockLocationRef[]) {
  const keys = [...new Set(lines.map(locationKey))].toSorted();
  const pairs = keys.map((key) => key.split(' ') as [string, string]);
  return { product_ids: pairs.map(([id]) => id), warehouse_ids: pairs.map(([, id]) => id) };
}

/**
 * Locks and returns the products of stock locations. Their type and tracking cannot change before the goods have moved.
 */
function lockProducts(db: Db, lines: readonly StockLocationRef[]): Promise<LockedProduct[]> {
  const { product_ids, warehouse_ids } = locationsOf(lines);
  return db.rows<LockedProduct>(sql`
    SELECT place.product_id, place.warehouse_id, product.track_stock AS tracked, product.allow_negative,
      product.reorder_level, product.purchase_price, product.stock_account_id,
      warehouse.id IS NOT NULL AS has_warehouse
    FROM unnest(${product_ids}::uuid[], ${warehouse_ids}::uuid[]) AS place (product_id, warehouse_id)
    JOIN products AS product ON product.id = place.product_id
    LEFT JOIN warehouses AS warehouse ON warehouse.id = place.warehouse_id
    ORDER BY place.product_id, place.warehouse_id FOR KEY SHARE OF product`);
}

async function addLevels(db: Db, missing: readonly LockedProduct[]): Promise<void> {
  if (missing.length === 0) return;
  await db.rows(sql`
    INSERT INTO stock_levels (id, product_id, warehouse_id, allow_negative)
    SELECT * FROM unnest(${missing.map(() => randomUUIDv7())}::uuid[], ${missing.map((one) => one.product_id)}::uuid[],
      ${missing.map((one) => one.warehouse_id)}::uuid[], ${missing.map((one) => one.allow_negative)}::boolean[])
    ON CONFLICT (workspace_id, product_id, warehouse_id) DO NOTHING`);
}

function lockLevels(db: Db, locations: readonly StockLocationRef[]): Promise<LockedLevel[]> {
  const { product_ids, warehouse_ids } = locationsOf(locations);
  return db.rows<LockedLevel>(sql`
    SELECT id, product_id, warehouse_id, on_hand, reserved, value FROM stock_levels
    WHERE (product_id, warehouse_id) IN (SELECT * FROM unnest(${product_ids}::uuid[], ${warehouse_ids}::uuid[]))
    ORDER BY product_id, warehouse_id FOR UPDATE`);
}

/**
 * Locks the stock locations of lines until the transaction ends. Services and untracked products are excluded, because
 * they have no movements.
 * @param field name of the lines in the request
 * @throws a 422 for an unknown product or warehouse
 */
export async function lockLocations(
  db: Db,
  lines: readonly StockLocationRef[],
  field = 'lines',
): Promise<ReadonlyMap<string, StockLocation>> {
  const [known, before] = await batch([lockProducts(db, lines), lockLevels(db, lines)]);
  const products = new Map(known.map((location) => [locationKey(location), location]));
  for (const [at, line] of lines.entries()) {
    const location = products.get(locationKey(line));
    if (!location) throw invalid(`${field}.${at}.product_id`, 'Product not found.');
    if (!location.has_warehouse) throw invalid(`${field}.${at}.warehouse_id`, 'Warehouse not found.');
  }
  const tracked = [...products.values()].filter((location) => location.tracked);
  if (tracked.length === 0) return new Map();
  const there = new Set(before.map(locationKey));
  const missing = tracked.filter((location) => !there.has(locationKey(location)));
  await addLevels(db, missing);
  const levels = [...before, ...(missing.length > 0 ? await lockLevels(db, missing) : [])];
  const levelAt = new Map(levels.map((level) => [locationKey(level), level]));
  return new Map(tracked.map((one) => [locationKey(one), toLocation(levelAt.get(locationKey(one))!, one)]));
}

const toLocation = ({ id, on_hand, reserved, value }: LockedLevel, product: LockedProduct): StockLocation => ({
  level_id: id,
  product_id: product.product_id,
  warehouse_id: product.warehouse_id,
  on_hand: new Decimal(on_hand),
  reserved: new Decimal(reserved),
  value: new Decimal(value),
  allow_negative: product.allow_negative,
  reorder_level: product.reorder_level === null ? null : new Decimal(product.reorder_level),
  purchase_price: new Decimal(product.purchase_price),
  stock_account_id: product.stock_account_id,
});
