/** Posting rules of revenues and expenses. */
import { type AccountRef, credit, debit, type Party, type JournalLine } from '../../ledger/ledger/journal.rules.ts';

/** Amount of a document with its net and tax parts. */
export interface CashAmounts {
  amount: string;
  net: string;
  tax_amount: string;
  tax_id: string | null;
  memo?: string;
}

interface CashAccounts {
  bank: AccountRef;
  category: AccountRef;
}

/** Returns the journal lines of a revenue: the bank, the category and the included tax. */
export const revenueLines = (
  { bank, category }: CashAccounts,
  figures: CashAmounts,
  party: Party | null,
): JournalLine[] => [
  debit(bank, figures.amount),
  credit(category, figures.net, { party, memo: figures.memo ?? '' }),
  credit('tax_output', figures.tax_amount, { tax_id: figures.tax_id }),
];

/** Returns the journal lines of an expense: the bank, the category and the included tax. */
export const expenseLines = (
  { bank, category }: CashAccounts,
  figures: CashAmounts,
  { party, project_id }: { party: Party | null; project_id: string | null },
): JournalLine[] => [
  debit(category, figures.net, { party, project_id, memo: figures.memo ?? '' }),
  debit('tax_input', figures.tax_amount, { tax_id: figures.tax_id }),
  credit(bank, figures.amount),
];
