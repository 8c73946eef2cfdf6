/**
 * Taxes over the whole year. Regular earnings are taxed as if the year continued like this: the tax of the year, less
 * the tax paid, divided by the remaining periods. One-off pay adds its own tax immediately.
 */
import { slabsOfBase } from './earnings.ts';
import { type AssignedComponent, hasNoEmployedDays, type Ledger, type Pay } from './pay.ts';
import { type Rational, rational, written, ZERO } from '../arithmetic/rational.ts';
import { slabText } from '../facts/slabs.ts';
import { type Working, working } from '../formula/working.ts';

/** The taxable amounts of a period. */
export interface Taxable {
  /** Amount without one-off payments. */
  readonly regular: Rational;
  readonly once: Rational;
  /** Taxable amount of a full period, without overtime and one-off pay. */
  readonly full: Rational;
}

/** Calculates the part of an annual tax that this period pays. */
function annual(
  pay: Pay,
  { component: { code, slabs } }: AssignedComponent,
  { regular, once, full }: Taxable,
): Working {
  const { input, places } = pay;
  const { periods_left, taxable, paid } = input.carried.tax_year;
  // Chosen: for an employee who left before the period, only one-off pay is taxed, on top of the year's earnings.
  const isRegular = input.facts.period.regular && !hasNoEmployedDays(pay);
  const [so_far, tax_paid] = [rational(taxable), rational(paid[code] ?? '0')];
  const figure = working(code, {
    periods_left: rational(periods_left),
    taxable_so_far: so_far,
    tax_paid,
    taxable: regular,
    taxable_once: once,
    taxable_full: full,
  });
  const others = isRegular ? periods_left - 1 : periods_left;
  const year = figure.step(`${written(so_far)} + ${written(regular)} + ${others} * ${written(full)}`);
  const ofYear = written(figure.step(slabText(slabs ?? [], year)));
  // An extra run pays the tax on its own payments. Regular runs pay the rest of the year's tax.
  const due = isRegular ? [`(${ofYear} - ${written(tax_paid)}) / ${periods_left}`] : [];
  if (!once.equals(ZERO)) {
    const more = figure.step(`${written(year)} + ${written(once)}`);
    due.push(`${written(figure.step(slabText(slabs ?? [], more)))} - ${ofYear}`);
  }
  const text = due.join(' + ') || '0';
  // Refunds overpaid tax only in the last period.
  figure.step(`round(${periods_left === 1 && isRegular ? text : `max(${text}, 0)`}, ${places})`);
  return figure;
}

/** Returns the explained amount of a tax. */
export const tax = (pay: Pay, ledger: Ledger, each: AssignedComponent, taxable: Taxable): Working =>
  each.component.annual ? annual(pay, each, taxable) : slabsOfBase(pay, ledger, each, { usual: 'taxable' });
