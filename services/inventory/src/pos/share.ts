/** The lines of a till sale for finance: accounts and amounts. */
import { sum } from '@suite/money';
import type { PosShare, PosTax } from '@suite/proto/inventory/v1/parts';

interface Line {
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  net: string;
}

/** @param cost what the goods of the line cost or, of a refund, what of that is in stock again */
export const shareOf = (line: Line, cost: string): PosShare => ({
  income_account_id: line.income_account_id ?? '',
  expense_account_id: line.expense_account_id ?? '',
  stock_account_id: line.stock_account_id ?? '',
  net: line.net,
  cost,
});

/** A tax of a sale or a refund, as its totals have it. */
interface Levy {
  id: string;
  name: string;
  kind: string;
  rate: string;
  base: string;
  amount: string;
}

/** Taxes as events announce them. */
export const announcedTaxes = (taxes: readonly Levy[]): PosTax[] =>
  taxes.map(({ id: tax_id, name, kind, rate, base, amount }) => ({ tax_id, name, kind, rate, base, amount }));

/** The net amount of lines without any tax. */
export const untaxedOf = (lines: readonly { net: string; taxes: readonly unknown[] }[], currency: string): string =>
  sum(
    lines.filter(({ taxes }) => taxes.length === 0).map(({ net }) => net),
    currency,
  );
