import { invalid } from '@suite/chassis';
import { AmountRefused } from '@suite/money';

/** What money cannot compute is told as a field of the body. @throws a 422 */
export function figured<T>(compute: () => T, fieldOf: (field: string) => string = (field) => field): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof AmountRefused) throw invalid(fieldOf(error.field), error.message);
    throw error;
  }
}
