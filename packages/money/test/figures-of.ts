import type { LineAmounts, DocumentSums } from '../src/money.ts';

/** Returns every amount of a line or a document, including taxes. */
export const figuresOf = (of: LineAmounts | DocumentSums): string[] => [
  ...Object.values(of).filter((value): value is string => typeof value === 'string'),
  ...of.taxes.flatMap(({ base, amount }) => [base, amount]),
];
