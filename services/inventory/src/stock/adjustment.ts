/** Stock adjustments: manual corrections, whose value finance posts. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { midnight } from '@suite/chassis/fields';
import { readOne } from '@suite/chassis/lists';
import { AdjustmentRecorded } from '@suite/proto/inventory/v1/events';
import type { z } from 'zod';
import { businessDay } from './business-day.ts';
import type { Db, CommandContext } from '../operations.ts';
import { activeWarehouse } from './default-warehouse.ts';
import { Decimal, worthOf } from '../movements/decimal.ts';
import { postMoves } from '../movements/posting.ts';
import { type AdjustmentInput, StockAdjustment, StockLevel } from './stock.schema.ts';
import { stockView } from './stock.view.ts';

type AdjustmentRequest = z.output<typeof AdjustmentInput>;

function assertConsistent({ qty, unit_cost, reason }: AdjustmentRequest): void {
  const takes = qty.startsWith('-');
  if (reason === 'opening' && takes) throw invalid('qty', 'Enter an opening stock greater than zero.');
  if (reason === 'scrap' && !takes) throw invalid('qty', 'Scrap reduces stock. Enter a negative quantity.');
  if (takes && unit_cost !== undefined) throw invalid('unit_cost', 'Omit the cost: goods leave stock at average cost.');
}

/** Returns the value of an added quantity, if the body contains a unit cost. */
function valueOf({ qty, unit_cost }: AdjustmentRequest, currency: string): Decimal | undefined {
  if (unit_cost === undefined) return undefined;
  return worthOf(new Decimal(qty).times(unit_cost), currency);
}

/** Returns the stock account of a product. @throws a 422 for an untracked product */
async function findTrackedProduct(db: Db, id: string): Promise<{ stock_account_id: string | null }> {
  const product = await db.product.findFirst({ where: { id } });
  if (!product) throw invalid('product_id', 'Product not found.');
  if (!product.track_stock)
    throw invalid('product_id', 'The stock of this product is not tracked. Turn on stock tracking first.');
  return product;
}

/** Adjusts stock. Returns the ID of the adjustment. @throws InsufficientStock; a 422 fault for invalid input */
export async function adjust(context: CommandContext, input: AdjustmentRequest): Promise<string> {
  const { db, caller, emit } = context;
  assertConsistent(input);
  const { product_id, qty, reason, note } = input;
  const business_date = businessDay(input.business_date, caller.timezone, 'business_date');
  const { id: warehouse_id } = await activeWarehouse(db, input.warehouse_id);
  const { stock_account_id } = await findTrackedProduct(db, product_id);
  const id = randomUUIDv7();
  const value = valueOf(input, caller.currency);
  const moves = [{ line_id: '1', product_id, warehouse_id, qty: new Decimal(qty), reason, ...(value && { value }) }];
  const source = { type: 'adjustment', id };
  const { lines } = await postMoves(context, { key: `adjustment:${id}`, source, business_date, moves });
  const [line] = lines;
  const worth = line!.value.toFixed();
  await db.stockAdjustment.create({
    data: {
      id,
      product_id,
      warehouse_id,
      qty,
      reason,
      note,
      unit_cost: line!.unit_cost,
      value: worth,
      business_date: midnight(business_date),
    },
  });
  emit(AdjustmentRecorded, {
    adjustment_id: id,
    product_id,
    warehouse_id,
    value: worth,
    business_date,
    reason: reason === 'opening' ? 'opening' : 'adjustment',
    stock_account_id: stock_account_id ?? '',
  });
  return id;
}

/** Returns an adjustment with the current stock. */
export async function readAdjustment(db: Db, id: string): Promise<z.input<typeof StockAdjustment>> {
  const adjustment = await readOne(db, StockAdjustment.omit({ stock: true }), id, { table: 'stock_adjustments' });
  const [level] = await db.rows<{ id: string }>(sql`
    SELECT id FROM stock_levels
    WHERE product_id = ${adjustment.product_id}::uuid AND warehouse_id = ${adjustment.warehouse_id}::uuid`);
  const stock = await readOne(db, StockLevel.omit({ product: true, warehouse: true }), level!.id, stockView);
  return { ...adjustment, stock };
}
