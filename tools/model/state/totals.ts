/**
 * The totals of documents: line amounts and taxes are rounded half up, and distributed by largest remainder. Written
 * from these rules, not from the code under test.
 */
import { cents, divide, ExactDecimal, NOTHING, step, total } from './exact-decimal.ts';

export interface Tax {
  id: string;
  /** Per cent. */
  rate: string;
  inclusive: boolean;
}

export interface Discount {
  type: 'percent' | 'amount';
  value: string;
}

/** A line as entered by a user. */
export interface EnteredLine {
  qty: ExactDecimal;
  unit_price: ExactDecimal;
  discount: Discount | null;
  taxes: readonly Tax[];
}

/** The amounts of a line. */
export interface LineAmounts {
  /** Cost after all discounts, with the taxes included in the price. */
  cost: ExactDecimal;
  taxes: { tax: Tax; amount: ExactDecimal }[];
  net: ExactDecimal;
  tax: ExactDecimal;
  total: ExactDecimal;
}

export interface Totals {
  subtotal: ExactDecimal;
  discount_total: ExactDecimal;
  net_total: ExactDecimal;
  tax_total: ExactDecimal;
  total: ExactDecimal;
}

const HUNDRED = new ExactDecimal(100);

/** Returns the amount less the discount, or undefined if the discount exceeds it. */
function discountAmount(from: ExactDecimal, discount: Discount | null): ExactDecimal | undefined {
  if (!discount) return NOTHING;
  const value = new ExactDecimal(discount.value);
  if (discount.type === 'percent') return value.gt(HUNDRED) ? undefined : from.times(value).div(HUNDRED);
  return value.gt(cents(from)) ? undefined : value;
}

const finish = (cost: ExactDecimal, taxes: LineAmounts['taxes']): LineAmounts => {
  const tax = total(taxes.map(({ amount }) => amount));
  const net = cost.minus(total(taxes.filter((one) => one.tax.inclusive).map(({ amount }) => amount)));
  return { cost, taxes, net, tax, total: net.plus(tax) };
};

/** Returns the sums of lines. */
export const sumOf = (lines: readonly LineAmounts[]) => ({
  net_total: total(lines.map(({ net }) => net)),
  tax_total: total(lines.map(({ tax }) => tax)),
  total: total(lines.map((line) => line.total)),
});

/** Returns the unrounded taxes of a line, on the net amount without the taxes included in the price. */
function exactTaxes(cost: ExactDecimal, taxes: readonly Tax[]): ExactDecimal[] {
  const included = total(taxes.filter(({ inclusive }) => inclusive).map(({ rate }) => new ExactDecimal(rate)));
  return taxes.map(({ rate }) => cost.times(rate).div(HUNDRED.plus(included)));
}

/** Returns the amounts of each line and their totals. Undefined if a discount exceeds its base amount. */
export function totalsOf(
  lines: readonly EnteredLine[],
  discount: Discount | null,
): { lines: LineAmounts[]; totals: Totals } | undefined {
  const prices = lines.map(({ qty, unit_price }) => qty.times(unit_price));
  const off = lines.map((line, at) => discountAmount(prices[at]!, line.discount));
  if (off.includes(undefined)) return undefined;
  const before = prices.map((price, at) => ExactDecimal.max(cents(price.minus(off[at]!)), NOTHING));
  const header = discountAmount(total(before), discount);
  if (!header) return undefined;
  const shares = divide(cents(header), before);
  const costs = before.map((cost, at) => cost.minus(shares[at]!));
  const exact = lines.map(({ taxes }, at) => exactTaxes(costs[at]!, taxes));
  const amounts = lines.map(({ taxes }) => taxes.map(() => NOTHING));
  const ids = new Set(lines.flatMap(({ taxes }) => taxes.map(({ id }) => id)));
  for (const id of ids) {
    const places = lines.flatMap(({ taxes }, line) => {
      const at = taxes.findIndex((tax) => tax.id === id);
      return at === -1 ? [] : [{ line, at }];
    });
    const parts = places.map(({ line, at }) => exact[line]![at]!);
    const spread = divide(cents(total(parts)), parts);
    for (const [index, { line, at }] of places.entries()) amounts[line]![at] = spread[index]!;
  }
  const figures = costs.map((cost, at) =>
    finish(
      cost,
      lines[at]!.taxes.map((tax, position) => ({ tax, amount: amounts[at]![position]! })),
    ),
  );
  const subtotal = total(prices.map(cents));
  return {
    lines: figures,
    totals: { subtotal, discount_total: subtotal.minus(total(costs)), ...sumOf(figures) },
  };
}

/** Returns the amount of a line up to a quantity. A tax in the price is deducted from the price of those units. */
function amountsUpTo(line: LineAmounts, whole: ExactDecimal, qty: ExactDecimal) {
  const cost = step(line.cost, whole, NOTHING, qty);
  const amounts = line.taxes.map(({ tax, amount }) => {
    if (!tax.inclusive) return step(amount, whole, NOTHING, qty);
    return line.cost.isZero() ? NOTHING : cents(cost.times(amount).div(line.cost));
  });
  return { cost, amounts };
}

/** Returns the amounts of a part of a line, after earlier parts. */
export function partOf(line: LineAmounts, whole: ExactDecimal, before: ExactDecimal, now: ExactDecimal): LineAmounts {
  const [from, to] = [amountsUpTo(line, whole, before), amountsUpTo(line, whole, before.plus(now))];
  return finish(
    to.cost.minus(from.cost),
    line.taxes.map(({ tax }, at) => ({ tax, amount: to.amounts[at]!.minus(from.amounts[at]!) })),
  );
}
