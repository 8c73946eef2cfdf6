import type { Tax } from '../src/money.ts';

/** Returns a tax of 20 % on top of the price, unless changed. */
export const tax = (changes: Partial<Tax> = {}): Tax => ({
  id: 'vat',
  name: 'VAT',
  rate: '20',
  kind: 'percent',
  inclusive: false,
  compound: false,
  ...changes,
});

/** Returns the taxes of each line, in order. */
export const amounts = ({ lines }: { lines: readonly { taxes: readonly { amount: string }[] }[] }): string[][] =>
  lines.map(({ taxes }) => taxes.map(({ amount }) => amount));
