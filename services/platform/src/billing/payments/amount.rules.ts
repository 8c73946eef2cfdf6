/** Amounts in the payment provider's format: whole minor units, which differ for some currencies. */
import { Decimal } from 'decimal.js';
import { minorUnits } from '@suite/money';

/**
 * Currencies that Stripe counts differently from ISO 4217. It still counts hundredths of a króna and of a Ugandan
 * shilling, which cannot be paid. It counts no fifths of an ariary.
 */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

const decimalsIn = (currency: string): number => DECIMALS[currency] ?? minorUnits(currency);
const unitsPerOne = (currency: string): Decimal => new Decimal(10).pow(decimalsIn(currency));

interface Amount {
  amount: string;
  currency: string;
}

/** Converts an amount to units: `49.00` EUR → 4900. */
export const unitAmount = ({ amount, currency }: Amount): number =>
  new Decimal(amount).times(unitsPerOne(currency)).toNumber();

/** Converts units to an amount: 4900 EUR → `49.00`. */
export const amountOf = (units: number, currency: string): string =>
  new Decimal(units).div(unitsPerOne(currency)).toFixed(minorUnits(currency));

/** Maximum amount in any currency, in units. */
const MOST_UNITS = 999_999_999_999;

/** Returns true if Stripe accepts an amount. In currencies with thousandths, it accepts whole hundredths only. */
export const isPayable = (paid: Amount): boolean =>
  new Decimal(paid.amount).decimalPlaces() <= Math.min(2, decimalsIn(paid.currency), minorUnits(paid.currency)) &&
  unitAmount(paid) <= MOST_UNITS;
