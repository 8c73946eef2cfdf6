/** Stock checks. A document is either available completely or rejected completely. */
import { fault } from '@suite/chassis/faults';
import { type Decimal, sumOf, ZERO } from './decimal.ts';
import { type StockLocation, locationKey, type StockLocationRef } from './stock-location.ts';

export const InsufficientStock = fault(
  409,
  'insufficient_stock',
  'There is not enough stock. Enter a smaller quantity.',
);

export interface RequestedStock extends StockLocationRef {
  line_id: string;
  /** Missing quantity, greater than zero. */
  qty: Decimal;
}

/**
 * Checks that stock is sufficient for all lines together.
 * @param own quantities reserved for the requesting document, by location
 * @throws InsufficientStock with the available quantity for each line of a short location. Chosen: `requested` is the
 * total of
 *   all lines at the location, because a single line may well be available.
 */
export function assertSufficient(
  locations: ReadonlyMap<string, StockLocation>,
  lines: readonly RequestedStock[],
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
