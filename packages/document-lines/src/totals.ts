/** Amounts of lines, calculated by @suite/money. Its errors become faults of a body. */
import { invalid } from '@suite/chassis/faults';
import type { Discount } from '@suite/chassis/fields';
import {
  AmountRefused,
  documentTotals,
  type DocumentTotals,
  type LineAmounts as Figures,
  type PrintedTotals,
  printedTotals,
  type Tax,
} from '@suite/money';
import type { DraftLine } from './draft-line.ts';
import type { TaxSnapshot } from './line.schema.ts';

/** Amounts of a line, with its taxes as copied. */
export type DocumentLineAmounts = Figures<TaxSnapshot>;

/**
 * Runs a computation of money, and names the body field of an error.
 * @param fieldOf returns the body field for a field of the computation
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

/** Bodies refer to taxes by ID. */
const fieldInBody = (field: string): string => field.replace(/\.taxes.*$/, '.tax_ids');

/** Calculates the totals of a document and the amounts of each line. @throws a 422 that names the field */
export const computeTotals = (
  lines: readonly Pick<DraftLine, 'qty' | 'unit_price' | 'discount' | 'taxes'>[],
  currency: string,
  discount: Discount | null,
): DocumentTotals<TaxSnapshot> =>
  asValidationError(() => documentTotals<TaxSnapshot>({ currency, discount, lines }), fieldInBody);

/** Returns the lines and sums of a PDF, in the order in which a reader adds them up. */
export function printedAmounts<Line extends object, T extends Tax>(
  lines: readonly Line[],
  figures: readonly Figures<T>[],
  currency: string,
): { lines: (Line & { amount: string })[]; sums: Omit<PrintedTotals<T>, 'amounts'> } {
  const { amounts, ...sums } = printedTotals(figures, currency);
  return { lines: lines.map((line, at) => ({ ...line, amount: amounts[at]! })), sums };
}
