/** Consumes the reservations of the document that issues the goods, before any other stock. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import type { Db } from '../operations.ts';
import { Decimal } from './decimal.ts';
import type { ConsumedReservation, MovementSource } from './movement.ts';
import { type StockLocation, locationKey, type StockLocationRef } from './stock-location.ts';
import type { RequestedStock } from './shortage.rules.ts';

/** Reservation of a document with its line and remaining quantity. */
export interface ReservationLine extends ConsumedReservation {
  source_line: string;
}

/** Returns the stock locations where a document has reserved products, without locking them. */
export const reservedLocations = (
  db: Db,
  source: MovementSource,
  product_ids: readonly string[],
): Promise<StockLocationRef[]> =>
  db.rows<StockLocationRef>(sql`
    SELECT DISTINCT product_id, warehouse_id FROM reservations
    WHERE source_type = ${source.type} AND source_id = ${source.id} AND status = 'active'
      AND product_id = ANY(${product_ids}::uuid[])`);

/** Locks and returns the reservations of a document at locked stock locations. */
export async function lockReservations(
  db: Db,
  source: MovementSource,
  locations: ReadonlyMap<string, StockLocation>,
): Promise<ReservationLine[]> {
  const rows = await db.rows<StockLocationRef & { id: string; source_line: string; left: string }>(sql`
    SELECT id, source_line, product_id, warehouse_id, qty - consumed AS left FROM reservations
    WHERE source_type = ${source.type} AND source_id = ${source.id} AND status = 'active'
    ORDER BY id FOR UPDATE`);
  return rows
    .filter((row) => locations.has(locationKey(row)))
    .map(({ left, ...row }) => ({ ...row, qty: new Decimal(left) }));
}

/** Line that issues goods, with the document line whose reservation it consumes. */
interface OutgoingLine extends RequestedStock {
  reserved_line_id?: string | undefined;
}

/**
 * Plans which reservations the issued goods use up. Reservations at the same location come first. Then come
 * reservations of the same line at other locations, whose stock is released.
 * @param isByLine true if lines name their reservations, false if each uses the reservations of its location
 */
export function planReservationUse(
  held: readonly ReservationLine[],
  outgoing: readonly OutgoingLine[],
  isByLine: boolean,
): ConsumedReservation[] {
  const open = new Map(held.map(({ id, qty }) => [id, qty]));
  const wanted = outgoing.map(({ qty }) => qty);
  const consumed: ConsumedReservation[] = [];
  for (const isSamePlace of [true, false]) {
    for (const [at, line] of outgoing.entries()) {
      for (const { source_line, ...one } of held) {
        const isOwn = isByLine ? source_line === line.reserved_line_id : isSamePlace;
        const isHere = locationKey(one) === locationKey(line);
        const qty = Decimal.min(open.get(one.id)!, wanted[at]!);
        if (!isOwn || isHere !== isSamePlace || one.product_id !== line.product_id || qty.isZero()) continue;
        open.set(one.id, open.get(one.id)!.minus(qty));
        wanted[at] = wanted[at]!.minus(qty);
        consumed.push({ ...one, qty, ...(!isHere && { taken_at: line.warehouse_id }) });
      }
    }
  }
  return consumed;
}

/**
 * Increases or reduces the consumed quantity of reservations. Reservations that have ended since then do not change.
 */
export async function changeConsumed(
  db: Db,
  consumed: readonly ConsumedReservation[],
  sign: 1 | -1,
): Promise<{ id: string }[]> {
  if (consumed.length === 0) return [];
  const byId = Map.groupBy(consumed, ({ id }) => id);
  const sums = [...byId.values()].map((some) => some.reduce((all, { qty }) => all.plus(qty), new Decimal(0)));
  return await db.rows<{ id: string }>(sql`
    UPDATE reservations SET consumed = consumed + delta.qty,
      status = CASE WHEN consumed + delta.qty = reservations.qty THEN 'consumed' ELSE 'active' END
    FROM unnest(${[...byId.keys()]}::uuid[], ${sums.map((qty) => qty.times(sign).toFixed())}::numeric[]) AS delta (id, qty)
    WHERE reservations.id = delta.id AND status IN ('active', 'consumed')
    RETURNING reservations.id`);
}

/** Moves consumed reservations to the stock locations that their goods return to. */
async function moveReservations(db: Db, returned: readonly ConsumedReservation[]): Promise<void> {
  for (const { id, qty, taken_at } of returned) {
    if (!taken_at) continue;
    const part = qty.toFixed();
    const [split] = await db.rows(sql`
      WITH split AS (
        UPDATE reservations SET qty = qty - ${part}::numeric WHERE id = ${id}::uuid AND qty > ${part}::numeric
        RETURNING source_type, source_id, source_line, product_id, expires_at)
      INSERT INTO reservations (id, source_type, source_id, source_line, product_id, warehouse_id, qty, expires_at)
      SELECT ${randomUUIDv7()}::uuid, source_type, source_id, source_line, product_id, ${taken_at}::uuid,
        ${part}::numeric, expires_at FROM split RETURNING id`);
    if (!split) await db.rows(sql`UPDATE reservations SET warehouse_id = ${taken_at}::uuid WHERE id = ${id}::uuid`);
  }
}

/** Restores consumed reservations for returned goods. Returns the quantity as a change of each stock location. */
export async function restoreReservations(
  db: Db,
  consumed: readonly ConsumedReservation[],
): Promise<ConsumedReservation[]> {
  const again = new Set((await changeConsumed(db, consumed, -1)).map((row) => row.id));
  const returned = consumed.filter(({ id }) => again.has(id));
  await moveReservations(db, returned);
  return returned.map(({ taken_at, ...one }) => ({
    ...one,
    warehouse_id: taken_at ?? one.warehouse_id,
    qty: one.qty.negated(),
  }));
}
