/** Amounts in bodies, in a known currency: never rounded in silence. Prices per unit and rates per hour may have more decimals. */
import { invalid } from '@suite/chassis';
import { isOverPrecise, roundTo } from '@suite/money';

/** @throws a 422 that names the field for an amount with more decimals than its currency */
export function assertExact(amount: string, currency: string, field: string): void {
  if (isOverPrecise(amount, currency)) {
    throw invalid(field, `This has more decimals than ${currency}. Round the amount.`);
  }
}

/**
 * An amount written with the decimals of its currency: `"5"` EUR is `"5.00"`.
 * @throws a 422 that names the field for an amount with more decimals than its currency
 */
export function exactAmount(amount: string, currency: string, field: string): string {
  assertExact(amount, currency, field);
  return roundTo(amount, currency);
}
