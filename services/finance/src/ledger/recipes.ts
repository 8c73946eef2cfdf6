/** The posting recipes of money that comes in and goes out, as finance.md tables them. Each is a pure function. */
import { claimSides } from '../settlement/settlement.ts';
import type { Settlement } from './open-item.ts';
import { accountOr, type AccountRef, byAccount, credit, debit, type Party, type Side } from './journal.rules.ts';

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
export const revenueSides = ({ bank, category }: CashAccounts, figures: CashFigures, party: Party | null): Side[] => [
  debit(bank, figures.amount),
  credit(category, figures.net, { party, memo: figures.memo ?? '' }),
  credit('tax_output', figures.tax_amount, { tax_id: figures.tax_id }),
];

/** Expense: out of the bank, for its category and the tax in it. */
export const expenseSides = (
  { bank, category }: CashAccounts,
  figures: CashFigures,
  { party, project_id }: { party: Party | null; project_id: string | null },
): Side[] => [
  debit(category, figures.net, { party, project_id, memo: figures.memo ?? '' }),
  debit('tax_input', figures.tax_amount, { tax_id: figures.tax_id }),
  credit(bank, figures.amount),
];

/** A payment as it is booked. */
export interface PaymentFigures {
  bank: AccountRef;
  party: Party;
  amount: string;
  base_amount: string;
  settlements: readonly Settlement[];
  /** What is set against nothing yet, and stays with us or with them. */
  rest: string;
  rest_base: string;
  open_item_id: string;
}

/** Payment: what it settles leaves the claims, each at the rate of its own day; the rest is an advance. */
export function paymentSides(payment: PaymentFigures): Side[] {
  const { bank, party, amount, base_amount, settlements, rest, rest_base, open_item_id } = payment;
  const advance = { base: rest_base, open_item_id, party };
  return party.kind === 'customer'
    ? [
        debit(bank, amount, { base: base_amount }),
        ...claimSides(party, settlements),
        credit('customer_advances', rest, advance),
      ]
    : [
        ...claimSides(party, settlements),
        debit('vendor_advances', rest, advance),
        credit(bank, amount, { base: base_amount }),
      ];
}

/** A till sale. */
export interface TillSale {
  taxes: readonly { tax_id: string; amount: string }[];
  payments: readonly { method: string; amount: string }[];
  party: Party | null;
  /** What its lines are booked on: together what it comes to without tax, and what its goods cost. */
  shares: readonly TillShare[];
}

/** What a line of a till sale is booked on; null for the usual accounts. */
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
export function tillSides({ payments, party, taxes, shares }: TillSale, currency: string): Side[] {
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

/** What is given back of a till sale: the opposite sides of that part. Its cost is what of the goods is in stock again. */
export const tillRefundSides = (refund: TillSale, currency: string): Side[] =>
  tillSides(refund, currency).map((line) => ({ ...line, side: line.side === 'debit' ? 'credit' : 'debit' }));

/**
 * Stock that was corrected by hand, or counted when the books began.
 * @param value what the stock's value rose by; negative when it fell
 */
export function adjustmentSides(value: string, against: AccountRef, stock: AccountRef): Side[] {
  const amount = value.replace('-', '');
  return value.startsWith('-')
    ? [debit(against, amount), credit(stock, amount)]
    : [debit(stock, amount), credit(against, amount)];
}
