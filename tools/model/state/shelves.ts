/** Stock movements of the model: moving average cost, and whole documents or nothing. */
import { type Json, rejection } from './attempt.ts';
import { cents, type ExactDecimal, ExactDecimal as Decimal, NOTHING, toPlainText, total } from './exact-decimal.ts';
import { type Account, postEntry, type Level, type Model, type Product } from './model.ts';

/** Returns the stock of a product in a warehouse, zero if there was never any. */
export function levelOf({ levels }: Model, product_id: string, warehouse_id: string): Level {
  const key = `${product_id} ${warehouse_id}`;
  const known = levels.get(key);
  if (known) return known;
  const level = { product_id, warehouse_id, on_hand: NOTHING, value: NOTHING };
  levels.set(key, level);
  return level;
}

export const onHand = ({ levels }: Model, product_id: string, warehouse_id: string): ExactDecimal =>
  levels.get(`${product_id} ${warehouse_id}`)?.on_hand ?? NOTHING;

/** Posts a stock correction, which reaches the ledger a moment later. */
export function correct(model: Model, value: ExactDecimal, against: Account): void {
  if (value.isZero()) return;
  postEntry(model, 'inventory', value);
  postEntry(model, against, value.negated());
  model.unsettled = true;
}

/** Returns the value of goods without a given value: the average of the stock, or the purchase price. */
const correctionValue = ({ on_hand, value }: Level, product: Product, qty: ExactDecimal): ExactDecimal =>
  on_hand.isZero() || (qty.gt(0) && value.isZero())
    ? cents(product.purchase_price.times(qty))
    : cents(value.times(qty).div(on_hand));

/**
 * Moves goods in or out (a negative quantity). An empty stock has no value, and a stock has no negative value. The
 * difference is posted as an adjustment.
 * @returns the value of the moved goods
 */
export function move(
  model: Model,
  product: Product,
  warehouse_id: string,
  qty: ExactDecimal,
  value?: ExactDecimal,
): ExactDecimal {
  const level = levelOf(model, product.id, warehouse_id);
  const moved = value ?? correctionValue(level, product, qty);
  level.on_hand = level.on_hand.plus(qty);
  const left = level.value.plus(moved);
  level.value = level.on_hand.isZero() ? NOTHING : Decimal.max(left, NOTHING);
  correct(model, level.value.minus(left), 'adjustment');
  return moved;
}

interface RequestedQuantity {
  product: Product;
  qty: ExactDecimal;
}

/** Returns the rejection if a warehouse lacks the total quantity of all lines, or undefined. */
export function missingStock(model: Model, warehouse_id: string, wanted: readonly RequestedQuantity[]) {
  const ids = [...new Set(wanted.map(({ product }) => product.id))];
  const lines = ids.flatMap((product_id): Json[] => {
    const asking = wanted.filter(({ product }) => product.id === product_id);
    const requested = total(asking.map(({ qty }) => qty));
    const available = onHand(model, product_id, warehouse_id);
    if (requested.lte(available)) return [];
    return asking.map(() => ({ product_id, requested: toPlainText(requested), available: toPlainText(available) }));
  });
  return lines.length > 0 ? rejection('insufficient_stock', 409, { lines }) : undefined;
}
