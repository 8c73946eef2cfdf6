/** Events about stock. */
import type { Emit } from '@suite/chassis/operations';
import { AdjustmentRecorded, MovementRecorded, StockChanged, StockLow } from '@suite/proto/inventory/v1/events';
import type { StockChange, StoredMovement, StockPosting } from './movement.ts';
import type { StockLocation } from './stock-location.ts';

/** Emits an event for a stock location whose quantities have changed. */
export function announceLevel(emit: Emit, { location, qty, consumed }: Omit<StockChange, 'value'>): void {
  const { level_id: stock_id, product_id, warehouse_id, reorder_level } = location;
  const on_hand = location.on_hand.plus(qty);
  const where = { stock_id, product_id, warehouse_id, on_hand: on_hand.toFixed() };
  emit(StockChanged, { ...where, reserved: location.reserved.minus(consumed).toFixed() });
  if (reorder_level && on_hand.lte(reorder_level) && location.on_hand.gt(reorder_level)) {
    emit(StockLow, { ...where, reorder_level: reorder_level.toFixed() });
  }
}

const accountOf = (locations: readonly StockLocation[], product_id: string): string =>
  locations.find((location) => location.product_id === product_id)?.stock_account_id ?? '';

/**
 * Announces moved goods and the changed stock levels. Pure value corrections are announced to finance as adjustments.
 */
export function announceMoves(
  emit: Emit,
  { source, business_date }: StockPosting,
  movements: readonly StoredMovement[],
  changes: readonly StockChange[],
): void {
  const locations = changes.map(({ location }) => location);
  for (const { id, product_id, warehouse_id, qty, value, reason } of movements) {
    const what = { product_id, warehouse_id, value: value.toFixed(), reason };
    const from = { source_type: source.type, source_id: source.id };
    emit(MovementRecorded, { movement_id: id, ...what, qty: qty.toFixed(), ...from });
    if (qty.isZero()) {
      const stock_account_id = accountOf(locations, product_id);
      emit(AdjustmentRecorded, { adjustment_id: id, ...what, business_date, stock_account_id });
    }
  }
  for (const change of changes) announceLevel(emit, change);
}
