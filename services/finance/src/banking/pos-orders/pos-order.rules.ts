/** Posting rules of POS orders. */
import {
  accountOr,
  byAccount,
  credit,
  debit,
  type Party,
  type JournalLine,
} from '../../ledger/ledger/journal.rules.ts';

/** POS order with the amounts to post. */
export interface PosOrderPosting {
  taxes: readonly { tax_id: string; amount: string }[];
  payments: readonly { method: string; amount: string }[];
  party: Party | null;
  /** Accounts of its lines, with their shares of the net total and of the cost of the goods. */
  shares: readonly PosLineAccounts[];
}

/** Accounts of a line of a POS order. Null for the default accounts. */
export interface PosLineAccounts {
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  net: string;
  cost: string;
}

/**
 * Returns the clearing account of a payment method. Chosen: everything except cash is in transit until it reaches the
 * bank.
 */
const clearingAccount = (method: string) => (method === 'cash' ? 'cash' : 'card_clearing');

/** Returns the journal lines of a POS order: cash or money in transit, sales and tax, and the cost of the goods. */
export function posOrderLines({ payments, party, taxes, shares }: PosOrderPosting, currency: string): JournalLine[] {
  const revenue = shares.map((line) => ({ account: accountOr(line.income_account_id, 'sales'), amount: line.net }));
  const cost = shares.map((line) => ({ account: accountOr(line.expense_account_id, 'cogs'), amount: line.cost }));
  const stock = shares.map((line) => ({ account: accountOr(line.stock_account_id, 'inventory'), amount: line.cost }));
  return [
    ...payments.map(({ method, amount }) => debit(clearingAccount(method), amount, { memo: method })),
    ...byAccount(revenue, currency).map((part) => credit(part.account, part.amount, { party })),
    ...taxes.map(({ tax_id, amount }) => credit('tax_output', amount, { tax_id: tax_id || null })),
    ...byAccount(cost, currency).map((part) => debit(part.account, part.amount)),
    ...byAccount(stock, currency).map((part) => credit(part.account, part.amount)),
  ];
}

/**
 * Returns the journal lines of a refund: the opposite of its share of the sale. Its cost is the cost of the restocked
 * goods.
 */
export const posRefundLines = (refund: PosOrderPosting, currency: string): JournalLine[] =>
  posOrderLines(refund, currency).map((line) => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' }));
