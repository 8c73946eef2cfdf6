import type { LineFigures, Sums } from '../src/money.ts';

/** Every amount of a line or a document, its taxes' too. */
export const figuresOf = (of: LineFigures | Sums): string[] => [
  ...Object.values(of).filter((value): value is string => typeof value === 'string'),
  ...of.taxes.flatMap(({ base, amount }) => [base, amount]),
];
