/** Reservations: stock reserved for a document until the goods are issued, released or expired. */
import { randomUUIDv7 } from 'node:crypto';
import { type Sql, sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import type { Db } from '../operations.ts';
import { announceLevel } from '../movements/movement-events.ts';
import { Decimal, sumOf, ZERO } from '../movements/decimal.ts';
import type { StockChange, MovementSource } from '../movements/movement.ts';
import { lockLocations, type StockLocation, locationKey, type StockLocationRef } from '../movements/stock-location.ts';
import { changeLevels } from '../movements/posting.ts';
import type { RequestLine } from '../movements/request.ts';
import { assertSufficient } from '../movements/shortage.rules.ts';

type ReservationContext = { db: Db; emit: Emit };

async function writeReservations(
  db: Db,
  source: MovementSource,
  lines: readonly RequestLine[],
  expires_at: string | null,
) {
  if (lines.length === 0) return;
  await db.rows(sql`
    INSERT INTO reservations (id, source_type, source_id, source_line, product_id, warehouse_id, qty, expires_at)
    SELECT id, ${source.type}, ${source.id}, line_id, product_id, warehouse_id, qty, ${expires_at}::timestamptz
    FROM unnest(${lines.map(() => randomUUIDv7())}::uuid[], ${lines.map((line) => line.line_id)}::text[],
      ${lines.map((line) => line.product_id)}::uuid[], ${lines.map((line) => line.warehouse_id)}::uuid[],
      ${lines.map((line) => line.qty)}::numeric[]) AS line (id, line_id, product_id, warehouse_id, qty)`);
}

/** Decreases or increases the reserved quantities of stock locations. */
async function changeReserved(
  { db, emit }: ReservationContext,
  locations: ReadonlyMap<string, StockLocation>,
  lines: readonly RequestLine[],
  sign: 1 | -1,
) {
  const changes: StockChange[] = [...Map.groupBy(lines, locationKey)].map(([key, some]) => ({
    location: locations.get(key)!,
    qty: ZERO,
    value: ZERO,
    consumed: sumOf(some, ({ qty }) => new Decimal(qty)).times(sign),
  }));
  if (changes.length === 0) return;
  await changeLevels(db, changes);
  for (const change of changes) announceLevel(emit, change);
}

/**
 * Reserves goods for a document, all lines or none.
 * @returns the reserved quantity of each line, zero for untracked products
 * @throws InsufficientStock; a 422 for an unknown product or warehouse
 */
export async function reserve(
  stock: ReservationContext,
  source: MovementSource,
  lines: readonly RequestLine[],
  expires_at: string | null,
): Promise<RequestLine[]> {
  const locations = await lockLocations(stock.db, lines);
  assertSufficient(
    locations,
    lines.map((line) => ({ ...line, qty: new Decimal(line.qty) })),
  );
  const tracked = lines.filter((line) => locations.has(locationKey(line)));
  await writeReservations(stock.db, source, tracked, expires_at);
  await changeReserved(stock, locations, tracked, -1);
  return lines.map((line) => (locations.has(locationKey(line)) ? line : { ...line, qty: '0' }));
}

/**
 * Ends active reservations and releases their remaining quantities.
 * @param condition a condition on `reservations`
 */
export async function endReservations(
  stock: ReservationContext,
  condition: Sql,
  status: 'released' | 'expired',
): Promise<RequestLine[]> {
  const { db } = stock;
  const held = await db.rows<StockLocationRef>(sql`
    SELECT DISTINCT product_id, warehouse_id FROM reservations WHERE status = 'active' AND ${condition}`);
  if (held.length === 0) return [];
  // All code locks stock levels before reservations.
  const locations = await lockLocations(db, held);
  const ended = await db.rows<RequestLine>(sql`
    UPDATE reservations SET status = ${status} WHERE status = 'active' AND ${condition}
      AND (product_id, warehouse_id) IN (SELECT * FROM unnest(${held.map((one) => one.product_id)}::uuid[], ${held.map((one) => one.warehouse_id)}::uuid[]))
    RETURNING source_line AS line_id, product_id, warehouse_id, trim_scale(qty - consumed)::text AS qty`);
  await changeReserved(stock, locations, ended, 1);
  return ended;
}

/** Selects the reservations of a document. */
export const reservationsOf = (source: MovementSource): Sql =>
  sql`source_type = ${source.type} AND source_id = ${source.id}`;
