/** Products and services that are bought and sold. After the first movement, type, unit and tracking cannot change. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault, invalid, NotFound } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import {
  ProductArchived,
  ProductCreated,
  ProductStockAccountChanged,
  ProductUpdated,
} from '@suite/proto/inventory/v1/events';
import type { Db, CommandContext } from '../operations.ts';
import { discardImages } from './picture.ts';
import type { ProductChanges, ProductInput } from './product.schema.ts';

export const ProductHasMoved = fault(
  409,
  'product_has_moved',
  'The type, unit and stock tracking of a product with stock movements cannot be changed. Create another product.',
);
export const ProductHasStock = fault(
  409,
  'product_has_stock',
  'This product still has stock. Reduce the stock to zero first.',
);
export const StockIsNegative = fault(
  409,
  'stock_is_negative',
  'The stock of this product is negative. Correct the stock first.',
);

/** Sets the taxes of a product, in order. @throws a 422 fault for an unknown, archived or repeated tax */
async function setTaxes(db: Db, product_id: string, tax_ids: readonly string[]): Promise<void> {
  if (new Set(tax_ids).size !== tax_ids.length) throw invalid('tax_ids', 'Enter each tax only once.');
  await db.productTax.deleteMany({ where: { product_id } });
  if (tax_ids.length === 0) return;
  const known = await db.rows(sql`SELECT id FROM taxes WHERE id = ANY(${tax_ids}::uuid[]) AND active FOR KEY SHARE`);
  if (known.length !== tax_ids.length) throw invalid('tax_ids', 'Tax not found or archived. Select another tax.');
  await db.productTax.createMany({ data: tax_ids.map((tax_id, position) => ({ product_id, tax_id, position })) });
}

type ProductClasses = Pick<ProductChanges, 'category_id' | 'unit_id'>;

/** Checks the category and unit. @throws a 422 fault for an unknown category or unit, or a category of another kind */
async function assertClasses(db: Db, { category_id, unit_id }: ProductClasses): Promise<void> {
  const category = category_id ? await db.category.findFirst({ where: { id: category_id } }) : { kind: 'product' };
  if (category?.kind !== 'product') throw invalid('category_id', 'Product category not found.');
  if (unit_id && !(await db.unit.findFirst({ where: { id: unit_id } }))) throw invalid('unit_id', 'Unit not found.');
}

function assertTrackable(type: string, track_stock: boolean): void {
  if (type === 'service' && track_stock)
    throw invalid('track_stock', 'A service has no stock. Select the type `product` to track stock.');
}

/** Creates a product. Returns its ID. */
export async function createProduct(
  { db, emit }: Omit<CommandContext, 'caller'>,
  input: ProductInput,
): Promise<string> {
  const { tax_ids = [], ...columns } = input;
  const { type, track_stock = type === 'product' } = columns;
  assertTrackable(type, track_stock);
  await assertClasses(db, columns);
  const { id, name, sku } = await db.product.create({ data: { ...columns, track_stock } });
  await setTaxes(db, id, tax_ids);
  emit(ProductCreated, { product_id: id, name, sku });
  return id;
}

/** Checks if a change affects a field that is fixed after the first movement. */
function changesFixedFields(
  before: { type: string; unit_id: string | null; track_stock: boolean },
  after: Pick<ProductChanges, 'type' | 'unit_id' | 'track_stock'>,
): boolean {
  return (['type', 'unit_id', 'track_stock'] as const).some(
    (name) => after[name] !== undefined && after[name] !== before[name],
  );
}

/** Copies to the stock levels if the product allows negative stock. @throws StockIsNegative */
async function allowNegative(db: Db, product_id: string, allowed: boolean): Promise<void> {
  const owed = allowed
    ? []
    : await db.rows(sql`
        SELECT id FROM stock_levels WHERE product_id = ${product_id}::uuid AND on_hand < reserved LIMIT 1`);
  if (owed.length > 0) throw StockIsNegative();
  await db.rows(sql`UPDATE stock_levels SET allow_negative = ${allowed} WHERE product_id = ${product_id}::uuid`);
}

/** @throws ProductHasStock */
async function assertNoStock(db: Db, product_id: string): Promise<void> {
  const in_warehouses = await db.stockLevel.count({
    where: { product_id, OR: [{ on_hand: { not: 0 } }, { reserved: { not: 0 } }] },
  });
  if (in_warehouses > 0) throw ProductHasStock({ in_warehouses });
}

/** Moves the stock value of a product to its new account. The product is locked, so that no goods move concurrently. */
async function moveValue(
  { db, emit, caller }: CommandContext,
  { id, stock_account_id }: { id: string; stock_account_id: string | null },
  to: string | null,
): Promise<void> {
  const [level] = await db.rows<{ value: string }>(sql`
    SELECT trim_scale(coalesce(sum(value), 0))::text AS value FROM stock_levels WHERE product_id = ${id}::uuid`);
  if (!level || level.value === '0') return;
  emit(ProductStockAccountChanged, {
    product_id: id,
    change_id: randomUUIDv7(),
    value: level.value,
    business_date: today(caller.timezone),
    from_account_id: stock_account_id ?? '',
    to_account_id: to ?? '',
  });
}

/** Updates a product. @throws ProductHasMoved, StockIsNegative, ProductHasStock if it would be archived */
export async function changeProduct(
  { db, emit, caller }: CommandContext,
  id: string,
  { version: _, tax_ids, ...patch }: ProductChanges,
  expect: number | undefined,
): Promise<void> {
  // Blocks stock movements of the product until this is done.
  const held = await db.rows(sql`SELECT id FROM products WHERE id = ${id}::uuid FOR UPDATE`);
  if (held.length === 0) throw NotFound();
  const before = await find(db.product, id);
  assertVersion(before, expect);
  if (changesFixedFields(before, patch) && (await db.stockLevel.count({ where: { product_id: id } })) > 0)
    throw ProductHasMoved();
  // A product that becomes a service is no longer tracked, unless the body sets `track_stock`.
  const type = patch.type ?? before.type;
  const track_stock = patch.track_stock ?? (patch.type === 'service' ? false : before.track_stock);
  assertTrackable(type, track_stock);
  await assertClasses(db, patch);
  const { allow_negative } = patch;
  if (allow_negative !== undefined && allow_negative !== before.allow_negative)
    await allowNegative(db, id, allow_negative);
  const archives = patch.active === false && before.active;
  if (archives) await assertNoStock(db, id);
  const changed = Object.keys(patch).length > 0 || tax_ids !== undefined;
  const { name, sku } = changed ? await change(db.product, id, { ...patch, track_stock }) : before;
  if (tax_ids) await setTaxes(db, id, tax_ids);
  if (patch.stock_account_id !== undefined && patch.stock_account_id !== before.stock_account_id)
    await moveValue({ db, emit, caller }, before, patch.stock_account_id);
  if (archives) emit(ProductArchived, { product_id: id });
  else if (changed) emit(ProductUpdated, { product_id: id, name, sku });
}

type ProductUses = {
  movements: number;
  reservations: number;
  pos_orders: number;
};

/** Deletes an unused product. @throws InUse, with the number of references */
export async function removeProduct(db: Db, id: string): Promise<{ id: string }> {
  const usesOf = async () => {
    const [uses] = await db.rows<ProductUses>(sql`
      SELECT (SELECT count(*)::int FROM stock_movements WHERE product_id = ${id}::uuid) AS movements,
        (SELECT count(*)::int FROM reservations WHERE product_id = ${id}::uuid) AS reservations,
        (SELECT count(*)::int FROM pos_order_lines WHERE product_id = ${id}::uuid) AS pos_orders`);
    return uses!;
  };
  await assertUnused(usesOf, (seen) => ({ ...seen, instead: 'archive it: active = false' }));
  await discardImages(db, await find(db.product, id));
  return await remove(db.product, id);
}
