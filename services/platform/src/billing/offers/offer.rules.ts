/** Margin of a white-label instance on a price. */
import { Fault, fault } from '@suite/chassis/faults';
import { Decimal } from 'decimal.js';

export const BelowWholesale = fault(
  422,
  'below_wholesale',
  'This price is below the wholesale price. Enter at least the wholesale price.',
);
export const PlanUnknown = fault(422, 'plan_unknown', 'This plan is not available. Choose an offered plan.');
export const PlanRetired = fault(422, 'plan_retired', 'This plan is no longer sold. Choose another plan.');
export const PriceUnknown = fault(
  422,
  'price_unknown',
  'The plan has no price for this currency and interval. Choose other values.',
);

interface PriceAmounts {
  amount: string;
  wholesale_amount: string;
}

/**
 * Returns the instance's margin, and its share of the amount in percent. Rounded down, so that the operator never
 * receives too little.
 */
export function marginOf({ amount, wholesale_amount }: PriceAmounts): { margin: string; margin_percent: string } {
  const margin = new Decimal(amount).minus(wholesale_amount);
  const share = margin.isZero() ? margin : margin.div(amount).times(100);
  return { margin: margin.toFixed(), margin_percent: share.toDecimalPlaces(2, Decimal.ROUND_DOWN).toFixed(2) };
}

/** Returns the fault for an amount below the minimum, with its field. */
export const belowWholesaleFault = (field: string, least: string): Fault =>
  new Fault(422, BelowWholesale.code, BelowWholesale.text, {
    errors: { [field]: [`Enter at least ${least}.`] },
    details: { least },
  });

export const isBelow = (amount: string, least: string): boolean => new Decimal(amount).lt(least);

/** Returns the greater of two amounts. */
export const atLeast = (amount: string, least: string): string => Decimal.max(amount, least).toFixed();
