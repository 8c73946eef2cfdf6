/** Posting rule for stock whose value changes without a document. */
import { type AccountRef, credit, debit, type JournalLine } from '../ledger/journal.rules.ts';

/**
 * Returns the journal lines of a manual stock adjustment, or of the opening stock.
 * @param value the increase of the stock value; negative for a decrease
 */
export function adjustmentLines(value: string, contraAccount: AccountRef, stock: AccountRef): JournalLine[] {
  const amount = value.replace('-', '');
  return value.startsWith('-')
    ? [debit(contraAccount, amount), credit(stock, amount)]
    : [debit(stock, amount), credit(contraAccount, amount)];
}
