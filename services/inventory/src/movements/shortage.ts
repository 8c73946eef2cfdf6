/** Shortage event. The rejected command is rolled back, and only this event is stored. */
import { withSavepoint, sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { StockNegativeBlocked } from '@suite/proto/inventory/v1/events';
import type { Db } from '../operations.ts';
import type { MovementSource } from './movement.ts';
import { locationKey, type StockLocationRef } from './stock-location.ts';
import { InsufficientStock } from './shortage.rules.ts';

type ShortageContext = { db: Db; emit: Emit };

/** Line with insufficient stock, from the fault's details. `requested` and `available` are totals of the location. */
interface ShortageLine extends StockLocationRef {
  requested: string;
  available: string;
}

/** Returns a source for a document that was not created because of the shortage. */
export const sourceOfType = (type: string): MovementSource => ({ type, id: '' });

export const isShortage = (error: unknown): error is Fault =>
  error instanceof Fault && error.code === InsufficientStock.code;

/** Announces a shortage, once for each product and warehouse with insufficient stock. */
export async function announceShortage(
  { db, emit }: ShortageContext,
  { details }: Fault,
  source: MovementSource,
): Promise<void> {
  const { lines } = details as { lines: ShortageLine[] };
  const lacking = [...Map.groupBy(lines, locationKey).values()].map(([line]) => line!);
  const levels = await db.rows<StockLocationRef & { id: string }>(sql`
    SELECT id, product_id, warehouse_id FROM stock_levels
    WHERE (product_id, warehouse_id) IN (SELECT * FROM unnest(
      ${lacking.map((one) => one.product_id)}::uuid[], ${lacking.map((one) => one.warehouse_id)}::uuid[]))`);
  const ids = new Map(levels.map((level) => [locationKey(level), level.id]));
  for (const one of lacking) {
    const { product_id, warehouse_id, requested, available } = one;
    // A stock location that never had stock has no row.
    const stock_id = ids.get(locationKey(one)) ?? product_id;
    const from = { source_type: source.type, source_id: source.id };
    emit(StockNegativeBlocked, { stock_id, product_id, warehouse_id, requested, available, ...from });
  }
}

/**
 * Runs a command that may find insufficient stock. In that case, rolls it back and emits an event.
 * @returns the fault, for the command to return: changes are committed with a returned fault
 */
export async function withShortageEvent<T>(
  stock: ShortageContext,
  source: MovementSource,
  work: () => Promise<T>,
): Promise<T | Fault> {
  try {
    return await withSavepoint(work);
  } catch (error) {
    if (!isShortage(error)) throw error;
    await announceShortage(stock, error, source);
    return error;
  }
}
