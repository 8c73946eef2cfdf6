/** Whether what is asked for is there. A whole document is, or nothing of it. */
import { fault } from '@suite/chassis';
import { type Decimal, sumOf, ZERO } from './decimal.ts';
import { type StockLocation, locationKey, type StockLocationRef } from './stock-location.ts';

export const InsufficientStock = fault(409, 'insufficient_stock', 'There is not enough stock.');

export interface Asked extends StockLocationRef {
  line_id: string;
  /** More than zero. */
  qty: Decimal;
}

/**
 * Makes sure that all lines together can be had.
 * @param own what is set aside at a place for the very document that asks
 * @throws InsufficientStock with what is available to each line of a place that has too little. Chosen: `requested` is
 *   what all lines ask of the place, since a line on its own may well be there.
 */
export function assertSufficient(
  locations: ReadonlyMap<string, StockLocation>,
  lines: readonly Asked[],
  own: ReadonlyMap<string, Decimal> = new Map(),
): void {
  const tracked = lines.filter((line) => locations.has(locationKey(line)));
  const lacking = [...Map.groupBy(tracked, locationKey)].flatMap(([key, asking]) => {
    const location = locations.get(key)!;
    const requested = sumOf(asking, ({ qty }) => qty);
    const available = location.on_hand.minus(location.reserved).plus(own.get(key) ?? ZERO);
    if (location.allow_negative || requested.lte(available)) return [];
    return asking.map(({ line_id, product_id, warehouse_id }) => ({
      line_id,
      product_id,
      warehouse_id,
      requested: requested.toFixed(),
      available: available.toFixed(),
    }));
  });
  if (lacking.length > 0) throw InsufficientStock({ lines: lacking });
}
