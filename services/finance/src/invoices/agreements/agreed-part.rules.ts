/**
 * Rules for the part of an agreed line that an invoice bills. All parts add up to the line, regardless of the order in
 * which invoices change.
 */
import { compare, type LineAmounts, partOfLine, subtract, sum, formatWithDecimals } from '@suite/money';
import type { Discount } from '@suite/chassis/fields';
import type { TaxSnapshot } from '@suite/document-lines';

/** Agreed line of an order or proposal, with its amounts there. */
export interface AgreedLine {
  id: string;
  product_id: string | null;
  description: string | null;
  qty: string;
  unit_price: string;
  discount: Discount | null;
  taxes: readonly TaxSnapshot[];
  figures: LineAmounts<TaxSnapshot>;
}

/** Part of an agreed line that another invoice or draft bills. */
export interface BilledPart {
  source_id: string;
  qty: string;
  /** True if price, discounts and taxes are the agreed ones. The amounts are then subtracted from the agreed line. */
  agreed_terms: boolean;
  gross: string;
  line_discount: string;
  header_discount: string;
  taxes: readonly { id: string; amount: string }[];
}

/** Part of an agreed line that no invoice bills yet. */
export interface Remainder {
  line: AgreedLine;
  /** Quantity, with at most six decimals. */
  qty: string;
  figures: LineAmounts<TaxSnapshot>;
  /** True if the taxes of the amounts are exact: no invoice of the line changed its price, discount or taxes. */
  intact: boolean;
}

const QTY_DECIMALS = 6;

/** Converts a quantity to an integer in units of the sixth decimal. */
function qtyUnits(qty: string): bigint {
  const [whole, fraction = ''] = qty.split('.');
  return BigInt(`${whole}${fraction.padEnd(QTY_DECIMALS, '0').slice(0, QTY_DECIMALS)}`);
}

/** Formats a quantity without trailing zeros. */
function qtyText(units: bigint): string {
  const digits = units.toString().padStart(QTY_DECIMALS + 1, '0');
  return formatWithDecimals(`${digits.slice(0, -QTY_DECIMALS)}.${digits.slice(-QTY_DECIMALS)}`, 0);
}

const atLeastZero = (units: bigint): bigint => (units > 0n ? units : 0n);
const qtySum = (parts: readonly { qty: string }[]): bigint => parts.reduce((all, { qty }) => all + qtyUnits(qty), 0n);

/** Subtracts an amount. The result is not below zero. */
const subtractToZero = (amount: string, by: string, currency: string): string =>
  compare(by, amount) > 0 ? sum([], currency) : subtract(amount, by, currency);

/** Returns the smaller of two amounts. */
export const smaller = (one: string, other: string): string => (compare(one, other) < 0 ? one : other);

/** Subtracts the amounts of parts from the amounts of a line, component by component. */
function subtractParts(
  figures: LineAmounts<TaxSnapshot>,
  parts: readonly BilledPart[],
  currency: string,
): LineAmounts<TaxSnapshot> {
  const all = (amounts: string[]) => sum(amounts, currency);
  const taxOf = (id: string) =>
    all(parts.flatMap(({ taxes }) => taxes.filter((tax) => tax.id === id).map(({ amount }) => amount)));
  return {
    ...figures,
    gross: subtractToZero(figures.gross, all(parts.map(({ gross }) => gross)), currency),
    discount: subtractToZero(figures.discount, all(parts.map(({ line_discount }) => line_discount)), currency),
    header_discount: subtractToZero(figures.header_discount, all(parts.map((part) => part.header_discount)), currency),
    taxes: figures.taxes.map((tax) => ({ ...tax, amount: subtractToZero(tax.amount, taxOf(tax.id), currency) })),
  };
}

/** Returns the first units of a remainder. @param qty at most the remaining quantity */
export function partOf({ qty: whole, figures }: Remainder, qty: string, currency: string): LineAmounts<TaxSnapshot> {
  return partOfLine(figures, { whole, before: '0', now: qty }, currency);
}

/** Limits discounts to the price: the line first, then the whole document. */
function limitDiscounts(figures: LineAmounts<TaxSnapshot>, currency: string): LineAmounts<TaxSnapshot> {
  const discount = smaller(figures.discount, figures.gross);
  const room = subtract(figures.gross, discount, currency);
  return { ...figures, discount, header_discount: smaller(figures.header_discount, room) };
}

/**
 * Returns the part of an agreed line that no other invoice bills. Parts on agreed terms are subtracted exactly. A part
 * with a changed price counts with its share of the quantity, and with its own fixed discounts. Drafts that exceed the
 * order can leave more discount than price. The discount is then limited, and the remainder is not intact.
 * @param header the discount of the whole order or proposal
 */
export function remainderOf(
  line: AgreedLine,
  billed: readonly BilledPart[],
  { currency, header }: { currency: string; header: Discount | null },
): Remainder {
  const parts = billed.filter(({ source_id }) => source_id === line.id);
  const [agreed, changed] = [parts.filter((part) => part.agreed_terms), parts.filter((part) => !part.agreed_terms)];
  const open = atLeastZero(qtyUnits(line.qty) - qtySum(agreed));
  const unbilled = atLeastZero(open - qtySum(changed));
  const rest = subtractParts(line.figures, agreed, currency);
  const figures = limitDiscounts(rest, currency);
  const qty = qtyText(unbilled);
  const isBearable = figures.discount === rest.discount && figures.header_discount === rest.header_discount;
  if (changed.length === 0 || unbilled === 0n)
    return { line, qty, figures, intact: changed.length === 0 && (isBearable || unbilled === 0n) };
  const shared = partOf({ line, qty: qtyText(open), figures, intact: true }, qty, currency);
  const totalOf = (name: 'line_discount' | 'header_discount') =>
    sum(
      changed.map((part) => part[name]),
      currency,
    );
  const discount =
    line.discount?.type === 'amount'
      ? subtractToZero(figures.discount, totalOf('line_discount'), currency)
      : shared.discount;
  const header_discount =
    header?.type === 'amount'
      ? subtractToZero(figures.header_discount, totalOf('header_discount'), currency)
      : shared.header_discount;
  return { line, qty, figures: limitDiscounts({ ...shared, discount, header_discount }, currency), intact: false };
}

/** Returns the remainder after a part was billed. */
export function afterBilling(remainder: Remainder, part: BilledPart, currency: string): Remainder {
  const qty = qtyText(atLeastZero(qtyUnits(remainder.qty) - qtyUnits(part.qty)));
  return { ...remainder, qty, figures: subtractParts(remainder.figures, [part], currency) };
}

/** Checks that a quantity does not exceed the remainder. */
export const isWithin = (qty: string, remainder: Remainder): boolean => qtyUnits(qty) <= qtyUnits(remainder.qty);

export const isZeroQty = (qty: string): boolean => qtyUnits(qty) === 0n;

/** Line that is about to be posted. */
interface PostedLine {
  id: string;
  qty: string;
  source_id: string | null;
}

/** Finds the lines that, together with the posted parts, bill more than was agreed. */
export function findExcess(agreed: readonly AgreedLine[], posted: readonly BilledPart[], own: readonly PostedLine[]) {
  return own.flatMap((line) => {
    const ordered = agreed.find(({ id }) => id === line.source_id);
    if (!ordered) return [];
    const before = qtySum(posted.filter(({ source_id }) => source_id === ordered.id));
    const now = qtySum(own.filter(({ source_id }) => source_id === ordered.id));
    if (before + now <= qtyUnits(ordered.qty)) return [];
    const quantities = { ordered_qty: ordered.qty, invoiced_qty: qtyText(before), qty: qtyText(qtyUnits(line.qty)) };
    return [{ line_id: line.id, source_line_id: ordered.id, ...quantities }];
  });
}
