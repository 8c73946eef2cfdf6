import { AmountRefused } from '../src/money.ts';

/** Returns the field that a call rejects. Fails if the call succeeds. */
export function refusedField(call: () => unknown): string {
  try {
    call();
  } catch (error) {
    if (error instanceof AmountRefused) return error.field;
    throw error;
  }
  throw new Error('Nothing was refused.');
}
