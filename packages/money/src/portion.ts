import { minorUnits } from './currency.ts';
import { type Decimal, readDecimal, readPositive, toMinor, formatDecimal } from './decimal.ts';
import { amountsOf, costOf, type LineAmounts, formatLineAmounts, type LineParts } from './line-amounts.ts';
import { AmountRefused } from './amount-refused.ts';
import type { Tax } from './tax.ts';

/** Progress: `now` more of a `whole`, after `before`. Quantities with at most six decimals. */
export interface PortionProgress {
  readonly whole: string;
  readonly before: string;
  readonly now: string;
}

interface Span {
  readonly whole: Decimal;
  readonly from: Decimal;
  readonly to: Decimal;
}

/**
 * Parses the progress of a line. @throws AmountRefused (`whole`, `before`, `now`) if the whole is zero, or if more is
 * taken than remains
 */
function readSpan(progress: PortionProgress): Span {
  const whole = readPositive(progress.whole, 'whole', 6);
  const from = readPositive(progress.before, 'before', 6);
  const to = from.plus(readPositive(progress.now, 'now', 6));
  if (whole.isZero()) throw new AmountRefused('whole', 'This must be more than zero.');
  if (from.gt(whole)) throw new AmountRefused('before', 'This is more than there was.');
  if (to.gt(whole)) throw new AmountRefused('now', `At most ${whole.minus(from).toFixed()} of it is left.`);
  return { whole, from, to };
}

/**
 * Returns the part of an amount for a part of a quantity: round(total × (before + now) / whole) − round(total × before
 * / whole). For any steps, the parts add up to the total exactly.
 * @throws AmountRefused (`total`, `whole`, `before`, `now`); `now` if it exceeds the remainder
 */
export function portion(total: string, progress: PortionProgress, currency: string): string {
  const value = readDecimal(total, 'total', minorUnits(currency));
  const { whole, from, to } = readSpan(progress);
  const upTo = (qty: Decimal) => toMinor(value.times(qty).div(whole), currency);
  return formatDecimal(upTo(to).minus(upTo(from)), currency);
}

/**
 * Calculates the amounts of a part of a line from its stored amounts, for a partial return, delivery or invoice.
 * However a line is split, the portions add up to it exactly, and none is negative. Each amount is a portion of the
 * line's own. The cost of the line (`gross − discounts`) stays as the customer saw it. One of two at 10.00, tax
 * included, is therefore 10.00 again, and inclusive taxes are taken out of that price.
 * @throws AmountRefused (`whole`, `before`, `now`; `gross`, `taxes.0.amount`); `now` if it exceeds the remainder
 */
export function partOfLine<T extends Tax>(
  line: LineAmounts<T>,
  progress: PortionProgress,
  currency: string,
): LineAmounts<T> {
  const span = readSpan(progress);
  const stored = readParts(line, currency);
  const from = firstUnits(stored, line.taxes, span.from.div(span.whole), currency);
  const to = firstUnits(stored, line.taxes, span.to.div(span.whole), currency);
  const step: LineParts = {
    gross: to.gross.minus(from.gross),
    discount: to.discount.minus(from.discount),
    header_discount: to.header_discount.minus(from.header_discount),
    amounts: to.amounts.map((amount, at) => amount.minus(from.amounts[at]!)),
  };
  return formatLineAmounts(amountsOf(step, line.taxes), line.taxes, currency);
}

function readParts(line: LineAmounts, currency: string): LineParts {
  const amountOf = (text: string, field: string) => readPositive(text, field, minorUnits(currency));
  return {
    gross: amountOf(line.gross, 'gross'),
    discount: amountOf(line.discount, 'discount'),
    header_discount: amountOf(line.header_discount, 'header_discount'),
    amounts: line.taxes.map(({ amount }, at) => amountOf(amount, `taxes.${at}.amount`)),
  };
}

/** Returns the parts of a line for its first units, given their share of the line. */
function firstUnits(line: LineParts, taxes: readonly Tax[], share: Decimal, currency: string): LineParts {
  const part = (value: Decimal) => toMinor(value.times(share), currency);
  const [discount, header_discount] = [part(line.discount), part(line.header_discount)];
  let whole = costOf(line);
  const cost = part(whole);
  let left = cost;
  const amounts = line.amounts.map((amount, at) => {
    if (!taxes[at]!.inclusive) return part(amount);
    // Based on the rounded cost, not on the quantity. Only then does the remainder never shrink from one step to the
    // next.
    const taken = whole.isZero() ? whole : toMinor(left.times(amount).div(whole), currency);
    whole = whole.minus(amount);
    left = left.minus(taken);
    return taken;
  });
  return { gross: cost.plus(discount).plus(header_discount), discount, header_discount, amounts };
}
