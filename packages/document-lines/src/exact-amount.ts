/**
 * Amounts in bodies, in a known currency. They are never rounded silently. Unit prices and hourly rates can have more
 * decimals.
 */
import { invalid } from '@suite/chassis/faults';
import { isOverPrecise, roundTo } from '@suite/money';

/**
 * Checks the decimals of an amount. @throws a 422 that names the field for an amount with more decimals than its
 * currency
 */
export function assertExact(amount: string, currency: string, field: string): void {
  if (isOverPrecise(amount, currency)) {
    throw invalid(field, `This has more decimals than ${currency}. Round the amount.`);
  }
}

/**
 * Returns an amount with the decimals of its currency: `"5"` EUR is `"5.00"`.
 * @throws a 422 that names the field for an amount with more decimals than its currency
 */
export function exactAmount(amount: string, currency: string, field: string): string {
  assertExact(amount, currency, field);
  return roundTo(amount, currency);
}
