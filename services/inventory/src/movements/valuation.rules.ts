/**
 * Moving-average cost. Goods come in at what they cost and go out at the average of what is there; goods that come back
 * do so at what they went for. All values are whole minor units of the base currency, so that the movements' values
 * always add up to the level's.
 */
import { Decimal, worthOf, ZERO } from './decimal.ts';

/** How much is there, and what it is worth. */
export interface Worth {
  on_hand: Decimal;
  value: Decimal;
}

/** A change of it. Without a value, it is worth the average. */
interface Step {
  qty: Decimal;
  value: Decimal | undefined;
}

/** Decimals of a unit cost as it is written down; values are computed without it. */
const COST_DECIMALS = 6;

/** The worth of a change. */
function valueOf(worth: Worth, { qty, value }: Step, usual: Decimal, currency: string): Decimal {
  if (value) return value;
  // The last that goes takes all of the value along: multiplied first, so that no quotient is in the way.
  if (!worth.on_hand.isZero() && (qty.lt(0) || !worth.value.isZero()))
    return worthOf(worth.value.times(qty).div(worth.on_hand), currency);
  return worthOf(usual.times(qty), currency);
}

/** The book value after a change: zero for zero stock, and never of the opposite sign of the quantity. */
function settled(before: Worth, after: Worth, unit_cost: Decimal, currency: string): Decimal {
  if (after.on_hand.isZero()) return ZERO;
  // The negative stock has been delivered: the present stock is valued at the cost of the delivery.
  if (before.on_hand.lt(0) && after.on_hand.gt(0)) return worthOf(after.on_hand.times(unit_cost), currency);
  return after.on_hand.gt(0) ? Decimal.max(after.value, ZERO) : Decimal.min(after.value, ZERO);
}

/** The result of a change. */
export interface Valued {
  after: Worth;
  value: Decimal;
  unit_cost: Decimal;
  /** The adjustment to book besides, so that the book value is right; mostly zero. */
  residue: Decimal;
}

/**
 * Values one change of a level.
 * @param usual what one is worth when nothing else tells
 */
export function valued(before: Worth, step: Step, usual: Decimal, currency: string): Valued {
  const value = valueOf(before, step, usual, currency);
  const unit_cost = value.div(step.qty).toDecimalPlaces(COST_DECIMALS);
  const moved = { on_hand: before.on_hand.plus(step.qty), value: before.value.plus(value) };
  const left = settled(before, moved, unit_cost, currency);
  return { after: { on_hand: moved.on_hand, value: left }, value, unit_cost, residue: left.minus(moved.value) };
}
