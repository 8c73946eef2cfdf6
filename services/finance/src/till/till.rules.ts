/** The posting rules of till sales, as finance.md tables them. */
import { accountOr, byAccount, credit, debit, type Party, type JournalLine } from '../ledger/journal.rules.ts';

/** A till sale. */
export interface TillSale {
  taxes: readonly { tax_id: string; amount: string }[];
  payments: readonly { method: string; amount: string }[];
  party: Party | null;
  /** The accounts of its lines, with their shares of the net total and of the cost of the goods. */
  shares: readonly TillShare[];
}

/** The accounts of a line of a till sale; null for the usual ones. */
export interface TillShare {
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  net: string;
  cost: string;
}

/** Chosen: what was not paid in cash is on its way until the bank has it. */
const clearing = (method: string) => (method === 'cash' ? 'cash' : 'card_clearing');

/** Till sale: cash, or what is on its way; sales and tax; and what the goods cost. */
export function tillLines({ payments, party, taxes, shares }: TillSale, currency: string): JournalLine[] {
  const revenue = shares.map((line) => ({ account: accountOr(line.income_account_id, 'sales'), amount: line.net }));
  const cost = shares.map((line) => ({ account: accountOr(line.expense_account_id, 'cogs'), amount: line.cost }));
  const stock = shares.map((line) => ({ account: accountOr(line.stock_account_id, 'inventory'), amount: line.cost }));
  return [
    ...payments.map(({ method, amount }) => debit(clearing(method), amount, { memo: method })),
    ...byAccount(revenue, currency).map((part) => credit(part.account, part.amount, { party })),
    ...taxes.map(({ tax_id, amount }) => credit('tax_output', amount, { tax_id: tax_id || null })),
    ...byAccount(cost, currency).map((part) => debit(part.account, part.amount)),
    ...byAccount(stock, currency).map((part) => credit(part.account, part.amount)),
  ];
}

/** The journal lines of a refund: the opposites of the sale's share. Its cost is that of the goods that were restocked. */
export const tillRefundLines = (refund: TillSale, currency: string): JournalLine[] =>
  tillLines(refund, currency).map((line) => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' }));
