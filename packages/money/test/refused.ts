import { AmountRefused } from '../src/money.ts';

/** The field that a call refuses; fails when it refuses none. */
export function refusedField(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof AmountRefused) return error.field;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
