/** The lines of a till sale for finance: accounts and amounts. */
import type { PosShare } from '@suite/proto/inventory/v1/parts';

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
