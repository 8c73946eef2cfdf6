/** The posting rule of stock whose value changes without a document. */
import { type AccountRef, credit, debit, type JournalLine } from '../ledger/journal.rules.ts';

/**
 * Stock that was corrected by hand, or counted when the books began.
 * @param value what the stock's value rose by; negative when it fell
 */
export function adjustmentLines(value: string, against: AccountRef, stock: AccountRef): JournalLine[] {
  const amount = value.replace('-', '');
  return value.startsWith('-')
    ? [debit(against, amount), credit(stock, amount)]
    : [debit(stock, amount), credit(against, amount)];
}
