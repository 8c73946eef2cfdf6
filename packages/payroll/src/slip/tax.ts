/**
 * Taxes over the whole year. What is earned regularly is taxed as if the year went on as it does now: the tax of the year, less
 * what was paid, divided by the periods that are left. What is paid once adds its own tax at once.
 */
import { slabsOfBase } from './earnings.ts';
import { type Held, isGone, type Ledger, type Pay } from './pay.ts';
import { type Rational, rational, written, ZERO } from '../arithmetic/rational.ts';
import { slabText } from '../facts/slabs.ts';
import { type Working, working } from '../formula/working.ts';

/** The taxable amounts of a period. */
export interface Taxable {
  /** Without what is paid once. */
  readonly regular: Rational;
  readonly once: Rational;
  /** Of a period in which everything is earned, without overtime and what is paid once. */
  readonly full: Rational;
}

/** A tax of the year, as far as this period pays it. */
function annual(pay: Pay, { component: { code, slabs } }: Held, { regular, once, full }: Taxable): Working {
  const { input, places } = pay;
  const { periods_left, taxable, paid } = input.carried.tax_year;
  // Chosen: of somebody who has left before the period, what he is paid once alone is taxed, upon what he earned in the year.
  const isRegular = input.facts.period.regular && !isGone(pay);
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
  // An extra run pays the tax of what it pays, and leaves the rest of the year to the others.
  const due = isRegular ? [`(${ofYear} - ${written(tax_paid)}) / ${periods_left}`] : [];
  if (!once.equals(ZERO)) {
    const more = figure.step(`${written(year)} + ${written(once)}`);
    due.push(`${written(figure.step(slabText(slabs ?? [], more)))} - ${ofYear}`);
  }
  const text = due.join(' + ') || '0';
  // Only the last period pays back what was too much.
  figure.step(`round(${periods_left === 1 && isRegular ? text : `max(${text}, 0)`}, ${places})`);
  return figure;
}

/** The working of a tax. */
export const tax = (pay: Pay, ledger: Ledger, each: Held, taxable: Taxable): Working =>
  each.component.annual ? annual(pay, each, taxable) : slabsOfBase(pay, ledger, each, { usual: 'taxable' });
