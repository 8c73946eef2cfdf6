import type { Tax } from '../src/money.ts';

/** 20 % on top of the price, unless said otherwise. */
export const tax = (changes: Partial<Tax> = {}): Tax => ({
  id: 'vat',
  name: 'VAT',
  rate: '20',
  kind: 'percent',
  inclusive: false,
  compound: false,
  ...changes,
});

/** The taxes that each line owes, in order. */
export const amounts = ({ lines }: { lines: readonly { taxes: readonly { amount: string }[] }[] }): string[][] =>
  lines.map(({ taxes }) => taxes.map(({ amount }) => amount));
