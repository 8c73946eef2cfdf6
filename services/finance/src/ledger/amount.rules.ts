import { invalid } from '@suite/chassis';
import { AmountRefused, toBase } from '@suite/money';

/** What money cannot compute is told as a field of the body. @throws a 422 */
export function figured<T>(compute: () => T, fieldOf: (field: string) => string = (field) => field): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof AmountRefused) throw invalid(fieldOf(error.field), error.message);
    throw error;
  }
}

/**
 * What an amount is worth in base currency, or in another one.
 * @param field the rate's in the body
 * @throws a 422 that names it, for more than an amount can hold
 */
export const exchanged = (amount: string, rate: string, currency: string, field: string): string =>
  figured(
    () => toBase(amount, rate, currency),
    () => field,
  );
