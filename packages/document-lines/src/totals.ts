/** The figures of lines, computed by @suite/money; its refusals become faults of a body. */
import { type Discount, invalid } from '@suite/chassis';
import {
  AmountRefused,
  documentTotals,
  type DocumentTotals,
  type LineFigures as Figures,
  type PrintedTotals,
  printedTotals,
  type Tax,
} from '@suite/money';
import type { DraftLine } from './draft-line.ts';
import type { TaxSnapshot } from './line.schema.ts';

/** The figures of a line, with its taxes as they were copied. */
export type LineFigures = Figures<TaxSnapshot>;

/**
 * Runs a computation of money, and names the field of the body that it refuses.
 * @param fieldOf finds the field of the body by the one that money names
 * @throws a 422
 */
export function asValidationError<T>(compute: () => T, fieldOf: (field: string) => string = (field) => field): T {
  try {
    return compute();
  } catch (error) {
    if (error instanceof AmountRefused) throw invalid(fieldOf(error.field), error.message);
    throw error;
  }
}

/** Bodies name taxes by their ids. */
const fieldInBody = (field: string): string => field.replace(/\.taxes.*$/, '.tax_ids');

/** Computes the totals of a document and the figures of each line. @throws a 422 that names the field */
export const computeTotals = (
  lines: readonly Pick<DraftLine, 'qty' | 'unit_price' | 'discount' | 'taxes'>[],
  currency: string,
  discount: Discount | null,
): DocumentTotals<TaxSnapshot> =>
  asValidationError(() => documentTotals<TaxSnapshot>({ currency, discount, lines }), fieldInBody);

/** Lines and sums of a letter, in the order in which a reader adds them up. */
export function printedFigures<Line extends object, T extends Tax>(
  lines: readonly Line[],
  figures: readonly Figures<T>[],
  currency: string,
): { lines: (Line & { amount: string })[]; sums: Omit<PrintedTotals<T>, 'amounts'> } {
  const { amounts, ...sums } = printedTotals(figures, currency);
  return { lines: lines.map((line, at) => ({ ...line, amount: amounts[at]! })), sums };
}
