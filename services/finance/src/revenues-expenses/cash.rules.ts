/** The posting rules of revenues and expenses, as finance.md tables them. */
import { type AccountRef, credit, debit, type Party, type JournalLine } from '../ledger/journal.rules.ts';

/** Money with what it is for: all of it, and the two parts that it has. */
export interface CashFigures {
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

/** Revenue: into the bank, for its category and the tax in it. */
export const revenueLines = (
  { bank, category }: CashAccounts,
  figures: CashFigures,
  party: Party | null,
): JournalLine[] => [
  debit(bank, figures.amount),
  credit(category, figures.net, { party, memo: figures.memo ?? '' }),
  credit('tax_output', figures.tax_amount, { tax_id: figures.tax_id }),
];

/** Expense: out of the bank, for its category and the tax in it. */
export const expenseLines = (
  { bank, category }: CashAccounts,
  figures: CashFigures,
  { party, project_id }: { party: Party | null; project_id: string | null },
): JournalLine[] => [
  debit(category, figures.net, { party, project_id, memo: figures.memo ?? '' }),
  debit('tax_input', figures.tax_amount, { tax_id: figures.tax_id }),
  credit(bank, figures.amount),
];
