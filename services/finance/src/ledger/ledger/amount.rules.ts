import { invalid } from '@suite/chassis/faults';
import { asValidationError } from '@suite/document-lines';
import { compare, toBase } from '@suite/money';
import type { Books } from '../books/books.ts';

/**
 * Converts an amount to base currency, or to another one.
 * @param field the field name of the rate
 * @throws a 422 that names the field, if the result is too large
 */
export const exchangeAmount = (amount: string, rate: string, currency: string, field: string): string =>
  asValidationError(
    () => toBase(amount, rate, currency),
    () => field,
  );

/**
 * Returns the rate of a currency to the base currency. @throws a 422 if it is missing, or present for the base currency
 */
export function rateOf(currency: string, rate: string | undefined, field: string, { base_currency }: Books): string {
  if (currency === base_currency) {
    if (rate && compare(rate, '1') !== 0)
      throw invalid(field, `The base currency is ${currency}. Omit the exchange rate.`);
    return '1';
  }
  if (!rate) throw invalid(field, `Enter the exchange rate: ${base_currency} per ${currency}.`);
  return rate;
}
