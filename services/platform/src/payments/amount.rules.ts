/** Amounts as the payment provider takes them: whole numbers of units, which are its own in some currencies. */
import { Decimal } from 'decimal.js';
import { minorUnits } from '@suite/money';

/**
 * Currencies that it counts otherwise than ISO 4217: it goes on counting hundredths of a króna and of a Ugandan shilling, which
 * nobody can pay, and counts no fifths of an ariary.
 */
const DECIMALS: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

const decimalsIn = (currency: string): number => DECIMALS[currency] ?? minorUnits(currency);
const unitsPerOne = (currency: string): Decimal => new Decimal(10).pow(decimalsIn(currency));

interface Amount {
  amount: string;
  currency: string;
}

/** `49.00` EUR → 4900 */
export const unitAmount = ({ amount, currency }: Amount): number =>
  new Decimal(amount).times(unitsPerOne(currency)).toNumber();

/** 4900 EUR → `49.00` */
export const amountOf = (units: number, currency: string): string =>
  new Decimal(units).div(unitsPerOne(currency)).toFixed(minorUnits(currency));

/** No currency has amounts of more units. */
const MOST_UNITS = 999_999_999_999;

/** Whether it takes an amount: of currencies with thousandths, it takes whole hundredths only. */
export const isPayable = (paid: Amount): boolean =>
  new Decimal(paid.amount).decimalPlaces() <= Math.min(2, decimalsIn(paid.currency), minorUnits(paid.currency)) &&
  unitAmount(paid) <= MOST_UNITS;
