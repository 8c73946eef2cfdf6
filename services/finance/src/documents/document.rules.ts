/** The posting rules of invoices and returns, as finance.md tables them. Each is a pure function. */
import { subtract, sum } from '@suite/money';
import { accountOr, byAccount, credit, debit, type Party, type JournalLine } from '../ledger/journal.rules.ts';
import type { Side } from './kind.ts';
import { type LineTax, taxBases } from '../taxes/tax-bases.rules.ts';

/** A line as far as its booking depends on it. */
export interface LineToBook {
  product_id: string | null;
  tracked: boolean;
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  net: string;
  taxes: readonly LineTax[];
  /** In base currency; null where no goods moved. */
  cost: string | null;
}

/** A document as far as its booking depends on it. */
export interface ToBook {
  total: string;
  currency: string;
  base_currency: string;
  party: Party;
  open_item_id: string;
  lines: readonly LineToBook[];
}

/** The total of each tax and rate over a document. */
const taxParts = ({ lines, currency }: Pick<ToBook, 'lines' | 'currency'>) =>
  taxBases(lines, currency).map(({ tax_id, tax: amount }) => ({ tax_id, amount }));

/** The cost of goods that leave stock (`out`) or come back into it; always in base currency. */
function costLines(
  { lines, base_currency }: Pick<ToBook, 'lines' | 'base_currency'>,
  way: 'out' | 'back',
): JournalLine[] {
  const more = { currency: base_currency };
  const moved = lines.filter(({ cost }) => cost !== null);
  const cost = byAccount(
    moved.map((line) => ({ account: accountOr(line.expense_account_id, 'cogs'), amount: line.cost! })),
    base_currency,
  );
  const stock = byAccount(
    moved.map((line) => ({ account: accountOr(line.stock_account_id, 'inventory'), amount: line.cost! })),
    base_currency,
  );
  const [up, down] = way === 'out' ? [cost, stock] : [stock, cost];
  return [
    ...up.map((part) => debit(part.account, part.amount, more)),
    ...down.map((part) => credit(part.account, part.amount, more)),
  ];
}

/** The account of a line of a bill that moves no goods. Chosen: without an account of its own, text is a purchased service. */
const spentOn = ({ expense_account_id, product_id }: LineToBook) =>
  accountOr(expense_account_id, product_id ? 'cogs' : 'purchased_services');

/** Sales invoice: what the customer owes, for revenue and tax; and what the goods cost. */
export function salesLines(document: ToBook): JournalLine[] {
  const { total, party, open_item_id, lines, currency } = document;
  const revenue = lines.map((line) => ({ account: accountOr(line.income_account_id, 'sales'), amount: line.net }));
  return [
    debit('receivable', total, { party, open_item_id }),
    ...byAccount(revenue, currency).map((part) => credit(part.account, part.amount, { party })),
    ...taxParts(document).map(({ tax_id, amount }) => credit('tax_output', amount, { tax_id })),
    ...costLines(document, 'out'),
  ];
}

/**
 * Purchase invoice: goods into stock, line by line at what inventory was told that they are worth; services and other
 * costs; tax; and what we owe.
 */
export function purchaseLines(document: ToBook): JournalLine[] {
  const { total, party, open_item_id, lines, currency } = document;
  const costs = lines.filter((line) => !line.tracked).map((line) => ({ account: spentOn(line), amount: line.net }));
  return [
    ...lines
      .filter((line) => line.tracked)
      .map((line) =>
        debit(accountOr(line.stock_account_id, 'inventory'), line.net, { party, product_id: line.product_id }),
      ),
    ...byAccount(costs, currency).map((part) => debit(part.account, part.amount, { party })),
    ...taxParts(document).map(({ tax_id, amount }) => debit('tax_input', amount, { tax_id })),
    credit('payable', total, { party, open_item_id }),
  ];
}

/** Sales return: revenue and tax taken back, for the credit note; what is put back into stock is no cost any more. */
export function salesReturnLines(document: ToBook): JournalLine[] {
  const { total, party, open_item_id, lines, currency } = document;
  const net = sum(
    lines.map((line) => line.net),
    currency,
  );
  return [
    debit('sales_returns', net, { party }),
    ...taxParts(document).map(({ tax_id, amount }) => debit('tax_output', amount, { tax_id })),
    credit('receivable', total, { party, open_item_id }),
    ...costLines(document, 'back'),
  ];
}

/**
 * Purchase return: what we owe less, for the debit note; goods out of stock at what they cost now. The difference to what
 * they were bought for goes to price variance; in a foreign currency both do, since each is in its own.
 */
export function purchaseReturnLines(document: ToBook): JournalLine[] {
  const { total, party, open_item_id, lines, currency, base_currency } = document;
  const goods = lines.filter(({ cost }) => cost !== null);
  const others = lines
    .filter(({ cost }) => cost === null)
    .map((line) => ({ account: spentOn(line), amount: line.net }));
  const bought = sum(
    goods.map(({ net }) => net),
    currency,
  );
  const left = sum(
    goods.map(({ cost }) => cost!),
    base_currency,
  );
  const stock = goods.map((line) => ({ account: accountOr(line.stock_account_id, 'inventory'), amount: line.cost! }));
  const more = { currency: base_currency };
  const difference = currency === base_currency ? subtract(bought, left, currency) : undefined;
  const variance = difference?.startsWith('-')
    ? [debit('price_variance', difference.replace('-', ''), { party })]
    : [credit('price_variance', difference ?? bought, { party })];
  return [
    debit('payable', total, { party, open_item_id }),
    ...byAccount(others, currency).map((part) => credit(part.account, part.amount, { party })),
    ...taxParts(document).map(({ tax_id, amount }) => credit('tax_input', amount, { tax_id })),
    ...variance,
    ...(difference === undefined ? [debit('price_variance', left, more)] : []),
    ...byAccount(stock, base_currency).map((part) => credit(part.account, part.amount, more)),
  ];
}

/** The posting rule of an invoice. */
export const invoiceLines: Readonly<Record<Side, (document: ToBook) => JournalLine[]>> = {
  sales: salesLines,
  purchase: purchaseLines,
};

/** The posting rule of a return. */
export const returnLines: Readonly<Record<Side, (document: ToBook) => JournalLine[]>> = {
  sales: salesReturnLines,
  purchase: purchaseReturnLines,
};
