/**
 * Taxes over the whole year. Regular earnings are taxed as if the year continued like this: the tax of the year, less
 * the tax paid, divided by the remaining periods. One-off pay adds its own tax immediately.
 */
import { slabsOfBase } from './earnings.ts';
import { type AssignedComponent, hasNoEmployedDays, type CalculatedValues, type PayBasis } from './pay.ts';
import { type Rational, rational, formatNumber, ZERO } from '../arithmetic/rational.ts';
import { slabText } from '../facts/slabs.ts';
import { type Calculation, startCalculation } from '../formula/calculation.ts';

/** The taxable amounts of a period. */
export interface TaxableAmounts {
  /** Amount without one-off payments. */
  readonly regular: Rational;
  readonly once: Rational;
  /** Taxable amount of a full period, without overtime and one-off pay. */
  readonly full: Rational;
}

/** Calculates the part of an annual tax that this period pays. */
function annual(
  pay: PayBasis,
  { component: { code, slabs } }: AssignedComponent,
  { regular, once, full }: TaxableAmounts,
): Calculation {
  const { input, places } = pay;
  const { periods_left, taxable, paid } = input.carried.tax_year;
  // Chosen: for an employee who left before the period, only one-off pay is taxed, on top of the year's earnings.
  const isRegular = input.facts.period.regular && !hasNoEmployedDays(pay);
  const [so_far, tax_paid] = [rational(taxable), rational(paid[code] ?? '0')];
  const figure = startCalculation(code, {
    periods_left: rational(periods_left),
    taxable_so_far: so_far,
    tax_paid,
    taxable: regular,
    taxable_once: once,
    taxable_full: full,
  });
  const others = isRegular ? periods_left - 1 : periods_left;
  const year = figure.step(`${formatNumber(so_far)} + ${formatNumber(regular)} + ${others} * ${formatNumber(full)}`);
  const ofYear = formatNumber(figure.step(slabText(slabs ?? [], year)));
  // An off-cycle run pays the tax on its own payments. Regular runs pay the rest of the year's tax.
  const due = isRegular ? [`(${ofYear} - ${formatNumber(tax_paid)}) / ${periods_left}`] : [];
  if (!once.equals(ZERO)) {
    const more = figure.step(`${formatNumber(year)} + ${formatNumber(once)}`);
    due.push(`${formatNumber(figure.step(slabText(slabs ?? [], more)))} - ${ofYear}`);
  }
  const text = due.join(' + ') || '0';
  // Refunds overpaid tax only in the last period.
  figure.step(`round(${periods_left === 1 && isRegular ? text : `max(${text}, 0)`}, ${places})`);
  return figure;
}

/** Returns the explained amount of a tax. */
export const tax = (
  pay: PayBasis,
  ledger: CalculatedValues,
  each: AssignedComponent,
  taxable: TaxableAmounts,
): Calculation =>
  each.component.annual ? annual(pay, each, taxable) : slabsOfBase(pay, ledger, each, { usual: 'taxable' });
