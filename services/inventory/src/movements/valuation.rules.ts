/**
 * Moving-average cost. Goods are received at their cost and issued at the average cost. Returned goods have the value
 * that they were issued at. All values are whole minor units of the base currency, so that movement values always add
 * up to the level's value.
 */
import { Decimal, worthOf, ZERO } from './decimal.ts';

/** Quantity and value of stock. */
export interface StockBalance {
  on_hand: Decimal;
  value: Decimal;
}

/** Change of stock. Without a value, the average cost applies. */
interface StockStep {
  qty: Decimal;
  value: Decimal | undefined;
}

/** Decimals of a stored unit cost. Values are calculated without the unit cost. */
const COST_DECIMALS = 6;

/** Returns the value of a change. */
function valueOf(balance: StockBalance, { qty, value }: StockStep, defaultCost: Decimal, currency: string): Decimal {
  if (value) return value;
  // The last issued unit takes the entire remaining value. Multiplying first avoids a rounded quotient.
  if (!balance.on_hand.isZero() && (qty.lt(0) || !balance.value.isZero()))
    return worthOf(balance.value.times(qty).div(balance.on_hand), currency);
  return worthOf(defaultCost.times(qty), currency);
}

/** Returns the book value after a change: zero for zero stock, and otherwise with the sign of the quantity. */
function settled(before: StockBalance, after: StockBalance, unit_cost: Decimal, currency: string): Decimal {
  if (after.on_hand.isZero()) return ZERO;
  // A receipt has replaced the negative stock: the remaining stock is valued at the cost of the receipt.
  if (before.on_hand.lt(0) && after.on_hand.gt(0)) return worthOf(after.on_hand.times(unit_cost), currency);
  return after.on_hand.gt(0) ? Decimal.max(after.value, ZERO) : Decimal.min(after.value, ZERO);
}

/** Result of a valued change. */
export interface Valuation {
  after: StockBalance;
  value: Decimal;
  unit_cost: Decimal;
  /** Additional value adjustment that corrects the book value. Usually zero. */
  residue: Decimal;
}

/**
 * Values one change of a stock level.
 * @param defaultCost unit cost if no other value applies
 */
export function valueStep(before: StockBalance, step: StockStep, defaultCost: Decimal, currency: string): Valuation {
  const value = valueOf(before, step, defaultCost, currency);
  const unit_cost = value.div(step.qty).toDecimalPlaces(COST_DECIMALS);
  const moved = { on_hand: before.on_hand.plus(step.qty), value: before.value.plus(value) };
  const left = settled(before, moved, unit_cost, currency);
  return { after: { on_hand: moved.on_hand, value: left }, value, unit_cost, residue: left.minus(moved.value) };
}
