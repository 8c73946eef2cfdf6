/** Demo catalogue: categories, taxes, warehouses and opening stock. */
import { daysFrom, isChosen, randomNumber } from '@suite/demo';
import { createCategory } from '../catalogue/category.ts';
import { createTax } from '../catalogue/tax.ts';
import type { CommandContext } from '../operations.ts';
import { createProduct } from '../products/product.ts';
import { adjust } from '../stock/adjustment.ts';
import { createWarehouse } from '../warehouses/warehouse.ts';
import { CATEGORIES, isService, type DemoProduct } from './demo-products.ts';

/** Warehouses and products of the demo. */
export interface DemoContext {
  command: CommandContext;
  now: Date;
  /** Default warehouse, and the other warehouses. */
  main: string;
  others: string[];
}

/** Demo product with stock. */
export interface StockedProduct extends DemoProduct {
  id: string;
}

export const dayBefore = (now: Date, days: number): string => daysFrom(now, -days).toISOString().slice(0, 10);

/** Creates the other warehouses of the workspace. The default one exists. */
export async function openWarehouses(context: CommandContext, now: Date): Promise<DemoContext> {
  const main = await context.db.warehouse.findFirst({ where: { is_default: true } });
  const showroom = { name: 'Showroom', code: 'SHOW', address: 'Market Street 12', city: 'Berlin', zip: '10115' };
  const outlet = { name: 'Outlet', code: 'OUT', address: 'Harbour Road 3', city: 'Hamburg', zip: '20457' };
  return {
    command: context,
    now,
    main: main!.id,
    others: [await createWarehouse(context.db, showroom), await createWarehouse(context.db, outlet)],
  };
}

async function makeCategories({ db }: CommandContext): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  for (const { name, color, children } of CATEGORIES) {
    const { id } = await createCategory(db, { name, color, kind: 'product', parent_id: null });
    ids.set(name, id);
    for (const child of children) {
      const below = await createCategory(db, { name: child, color, kind: 'product', parent_id: id });
      ids.set(child, below.id);
    }
  }
  return ids;
}

/** Creates products, and receives their first stock in the main warehouse. */
export async function stockShelves(
  { command, now, main }: DemoContext,
  wares: readonly DemoProduct[],
): Promise<StockedProduct[]> {
  const categories = await makeCategories(command);
  const tax = { kind: 'percent', inclusive: false, compound: false, active: true } as const;
  const full = await createTax(command.db, { ...tax, name: 'VAT 19 %', rate: '19' });
  const reduced = await createTax(command.db, { ...tax, name: 'VAT 7 %', rate: '7' });
  const units = new Map((await command.db.unit.findMany()).map(({ name, id }) => [name, id]));
  const stocked: StockedProduct[] = [];
  for (const ware of wares) {
    const { name, sku, sale_price, purchase_price, stock } = ware;
    const id = await createProduct(command, {
      name,
      sku,
      sale_price,
      purchase_price,
      type: isService(ware) ? 'service' : 'product',
      category_id: categories.get(ware.category) ?? null,
      unit_id: units.get(ware.unit ?? 'Piece') ?? null,
      tax_ids: [ware.reduced_tax ? reduced.id : full.id],
      reorder_level: stock === undefined ? null : String(Math.ceil(stock / 5)),
      barcode: isChosen(0.8) ? `40${randomNumber(10_000_000_000, 99_999_999_999)}` : null,
    });
    stocked.push({ ...ware, id });
    if (stock === undefined) continue;
    const opening = { product_id: id, warehouse_id: main, qty: String(stock), unit_cost: purchase_price };
    await adjust(command, { ...opening, reason: 'opening', note: null, business_date: dayBefore(now, 90) });
  }
  return stocked;
}
