/** Using up the reservations of the document that takes the goods, before any other stock. */
import { sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { Decimal } from './decimal.ts';
import type { Consumed, Source } from './movement.ts';
import { type StockLocation, locationKey, type StockLocationRef } from './stock-location.ts';
import type { Asked } from './shortage.rules.ts';

/** The reservations of a document at locked places; they are locked, too. */
export async function reservedFor(
  db: Db,
  source: Source,
  locations: ReadonlyMap<string, StockLocation>,
): Promise<Consumed[]> {
  const rows = await db.rows<StockLocationRef & { id: string; left: string }>(sql`
    SELECT id, product_id, warehouse_id, qty - consumed AS left FROM reservations
    WHERE source_type = ${source.type} AND source_id = ${source.id} AND status = 'active'
    ORDER BY id FOR UPDATE`);
  return rows
    .filter((row) => locations.has(locationKey(row)))
    .map(({ left, ...row }) => ({ ...row, qty: new Decimal(left) }));
}

/** Takes what leaves out of what is set aside, the oldest reservation first, as far as it goes. */
export async function useUp(db: Db, held: readonly Consumed[], leaving: readonly Asked[]): Promise<Consumed[]> {
  const wanted = new Map<string, Decimal>();
  for (const line of leaving) {
    const key = locationKey(line);
    wanted.set(key, line.qty.plus(wanted.get(key) ?? 0));
  }
  const consumed = held.flatMap((one) => {
    const key = locationKey(one);
    const qty = Decimal.min(one.qty, wanted.get(key) ?? 0);
    if (qty.isZero()) return [];
    wanted.set(key, wanted.get(key)!.minus(qty));
    return [{ ...one, qty }];
  });
  if (consumed.length > 0) await changeConsumed(db, consumed, 1);
  return consumed;
}

/** Notes more use of reservations, or takes it back. Those that ended otherwise in the meantime are left alone. */
async function changeConsumed(db: Db, consumed: readonly Consumed[], sign: 1 | -1): Promise<{ id: string }[]> {
  const quantities = consumed.map(({ qty }) => qty.times(sign).toFixed());
  return await db.rows<{ id: string }>(sql`
    UPDATE reservations SET consumed = consumed + delta.qty,
      status = CASE WHEN consumed + delta.qty = reservations.qty THEN 'consumed' ELSE 'active' END
    FROM unnest(${consumed.map(({ id }) => id)}::uuid[], ${quantities}::numeric[]) AS delta (id, qty)
    WHERE reservations.id = delta.id AND status IN ('active', 'consumed')
    RETURNING reservations.id`);
}

/** Sets aside again what had been used up and has come back. Returns how much, as a change of each place. */
export async function setAsideAgain(db: Db, consumed: readonly Consumed[]): Promise<Consumed[]> {
  if (consumed.length === 0) return [];
  const again = new Set((await changeConsumed(db, consumed, -1)).map((row) => row.id));
  return consumed.filter(({ id }) => again.has(id)).map((one) => ({ ...one, qty: one.qty.negated() }));
}
