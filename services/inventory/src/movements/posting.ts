/**
 * Moves goods: changes levels and adds movements together. Each takes one statement, regardless of the number of lines.
 */
import { randomUUIDv7 } from 'node:crypto';
import { batch, sql } from '@suite/chassis/database';
import type { Db, CommandContext } from '../operations.ts';
import { announceMoves } from './movement-events.ts';
import { type Decimal, sumOf, ZERO } from './decimal.ts';
import { lockLocations, type StockLocation, locationKey } from './stock-location.ts';
import type { StockChange, ConsumedReservation, StockMovement, StoredMovement, StockPosting } from './movement.ts';
import {
  changeConsumed,
  reservedLocations,
  planReservationUse,
  restoreReservations,
  lockReservations,
} from './reservation-use.ts';
import { assertSufficient } from './shortage.rules.ts';
import { valueStep, type StockBalance } from './valuation.rules.ts';

/** Values the moves of each stock location in sequence, in document order. */
function valueMoves(
  locations: ReadonlyMap<string, StockLocation>,
  { key, moves }: StockPosting,
  currency: string,
): StoredMovement[] {
  const worth = new Map<string, StockBalance>(locations);
  const values = new Map<number, Decimal>();
  const tracked = [...moves.entries()].filter(([, move]) => locations.has(locationKey(move)));
  return tracked.flatMap(([at, move]) => {
    const location = locationKey(move);
    const { qty, mirrors } = move;
    const value = mirrors === undefined ? move.value : values.get(mirrors)?.negated();
    const step = valueStep(worth.get(location)!, { qty, value }, locations.get(location)!.purchase_price, currency);
    worth.set(location, step.after);
    values.set(at, step.value);
    const common = { ...move, unit_cost: step.unit_cost, balance_after: step.after.on_hand };
    const moved = { ...common, id: randomUUIDv7(), key: `${key}:${at}`, value: step.value };
    if (step.residue.isZero()) return [moved];
    const correction = { reason: 'adjustment', qty: ZERO, unit_cost: ZERO, value: step.residue } as const;
    return [moved, { ...common, ...correction, id: randomUUIDv7(), key: `${key}:${at}:residue` }];
  });
}

function locationChanges(
  locations: ReadonlyMap<string, StockLocation>,
  movements: readonly StoredMovement[],
  consumed: readonly ConsumedReservation[],
): StockChange[] {
  const moved = Map.groupBy(movements, locationKey);
  const used = Map.groupBy(consumed, locationKey);
  return [...locations].map(([key, location]) => ({
    location,
    qty: sumOf(moved.get(key) ?? [], ({ qty }) => qty),
    value: sumOf(moved.get(key) ?? [], ({ value }) => value),
    consumed: sumOf(used.get(key) ?? [], ({ qty }) => qty),
  }));
}

/** Updates locked levels in one guarded statement. */
export async function changeLevels(db: Db, changes: readonly StockChange[]): Promise<void> {
  const column = (name: 'qty' | 'value' | 'consumed') => changes.map((change) => change[name].toFixed());
  const changed = await db.rows(sql`
    UPDATE stock_levels AS level
    SET on_hand = level.on_hand + delta.qty, value = level.value + delta.value,
      reserved = level.reserved - delta.consumed, version = level.version + 1, updated_at = clock_timestamp()
    FROM unnest(${changes.map(({ location }) => location.level_id)}::uuid[], ${column('qty')}::numeric[],
      ${column('value')}::numeric[], ${column('consumed')}::numeric[]) AS delta (id, qty, value, consumed)
    WHERE level.id = delta.id
      AND (level.allow_negative OR level.on_hand + delta.qty >= level.reserved - delta.consumed)
    RETURNING level.id`);
  if (changed.length !== changes.length) throw new Error('A locked stock level has changed.');
}

async function writeMovements(
  db: Db,
  { source, business_date }: StockPosting,
  all: readonly StoredMovement[],
): Promise<void> {
  const column = <K extends keyof StoredMovement>(name: K): StoredMovement[K][] =>
    all.map((movement) => movement[name]);
  const decimals = (name: 'qty' | 'unit_cost' | 'value' | 'balance_after') =>
    all.map((movement) => movement[name].toFixed());
  await db.rows(sql`
    INSERT INTO stock_movements (id, product_id, warehouse_id, qty, unit_cost, value, reason, source_type, source_id,
      source_line, idempotency_key, balance_after, business_date)
    SELECT id, product_id, warehouse_id, qty, unit_cost, value, reason, ${source.type}, ${source.id}, source_line, key,
      balance_after, ${business_date}::date
    FROM unnest(${column('id')}::uuid[], ${column('product_id')}::uuid[], ${column('warehouse_id')}::uuid[],
      ${decimals('qty')}::numeric[], ${decimals('unit_cost')}::numeric[], ${decimals('value')}::numeric[],
      ${column('reason')}::text[], ${column('line_id')}::text[], ${column('key')}::text[],
      ${decimals('balance_after')}::numeric[])
      AS movement (id, product_id, warehouse_id, qty, unit_cost, value, reason, source_line, key, balance_after)`);
}

const NOTHING = { unit_cost: ZERO, value: ZERO };

/**
 * Moves goods for all lines or none. Lines of services and of untracked products move nothing.
 * @returns the movement of each line in order, and the consumed reservations
 * @throws InsufficientStock; a 422 fault for an unknown product or warehouse
 */
export async function postMoves(
  { db, caller, emit }: CommandContext,
  posting: StockPosting,
  field?: string,
): Promise<{ lines: StockMovement[]; consumed: ConsumedReservation[] }> {
  const { moves, reserved_for, restored = [] } = posting;
  // Goods that leave one warehouse can consume a reservation in another. Its level is locked before the reservation.
  const elsewhere = reserved_for
    ? await reservedLocations(
        db,
        reserved_for,
        moves.map((move) => move.product_id),
      )
    : [];
  const locations = await lockLocations(db, [...moves, ...elsewhere], field);
  const leaving = moves.filter(({ qty }) => qty.lt(0)).map((move) => ({ ...move, qty: move.qty.negated() }));
  const held = reserved_for ? await lockReservations(db, reserved_for, locations) : [];
  const used = planReservationUse(held, leaving, reserved_for?.type === 'sales_order');
  const own = new Map([...Map.groupBy(used, locationKey)].map(([key, some]) => [key, sumOf(some, (one) => one.qty)]));
  assertSufficient(locations, leaving, own);
  await changeConsumed(db, used, 1);
  const consumed = [...used, ...(await restoreReservations(db, restored))];
  const movements = valueMoves(locations, posting, caller.currency);
  if (movements.length > 0) {
    const changes = locationChanges(locations, movements, consumed);
    await batch([changeLevels(db, changes), writeMovements(db, posting, movements)]);
    announceMoves(emit, posting, movements, changes);
  }
  const byKey = new Map(movements.map((movement) => [movement.key, movement]));
  const lines = moves.map((move, at) => {
    const { unit_cost, value } = byKey.get(`${posting.key}:${at}`) ?? NOTHING;
    const { line_id, product_id, warehouse_id, qty } = move;
    return {
      line_id,
      product_id,
      warehouse_id,
      qty: qty.abs().toFixed(),
      unit_cost: unit_cost.toFixed(),
      value,
      stock_account_id: locations.get(locationKey(move))?.stock_account_id ?? null,
    };
  });
  return { lines, consumed };
}
