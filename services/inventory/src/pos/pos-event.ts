/** Lines of a POS order for finance, with accounts and amounts. */
import { sum } from '@suite/money';
import type { PosShare, PosTax } from '@suite/proto/inventory/v1/parts';

interface PosLine {
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  net: string;
}

/** Returns the event data of a line. @param cost cost of the line's goods; for a refund, the restocked part */
export const shareOf = (line: PosLine, cost: string): PosShare => ({
  income_account_id: line.income_account_id ?? '',
  expense_account_id: line.expense_account_id ?? '',
  stock_account_id: line.stock_account_id ?? '',
  net: line.net,
  cost,
});

/** Tax in the totals of a sale or a refund. */
interface TaxTotal {
  id: string;
  name: string;
  kind: string;
  rate: string;
  base: string;
  amount: string;
}

/** Returns taxes in the form of events. */
export const announcedTaxes = (taxes: readonly TaxTotal[]): PosTax[] =>
  taxes.map(({ id: tax_id, name, kind, rate, base, amount }) => ({ tax_id, name, kind, rate, base, amount }));

/** Returns the net amount of lines without taxes. */
export const untaxedOf = (lines: readonly { net: string; taxes: readonly unknown[] }[], currency: string): string =>
  sum(
    lines.filter(({ taxes }) => taxes.length === 0).map(({ net }) => net),
    currency,
  );
