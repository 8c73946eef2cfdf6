/** Posting rules of invoices and returns. Each is a pure function. */
import { subtract, sum } from '@suite/money';
import {
  accountOr,
  byAccount,
  credit,
  debit,
  type Party,
  type JournalLine,
} from '../../ledger/ledger/journal.rules.ts';
import type { Side } from './side.ts';
import { type TaxedAmount, taxBases } from '../../ledger/accounts/tax-bases.rules.ts';

/** Fields of a line that its posting depends on. */
export interface PostingLine {
  product_id: string | null;
  tracked: boolean;
  income_account_id: string | null;
  expense_account_id: string | null;
  stock_account_id: string | null;
  net: string;
  taxes: readonly TaxedAmount[];
  /** Cost in base currency. Null if no goods moved. */
  cost: string | null;
}

/** Fields of a document that its posting depends on. */
export interface PostingDocument {
  total: string;
  currency: string;
  base_currency: string;
  party: Party;
  open_item_id: string;
  lines: readonly PostingLine[];
}

/** Returns the total of each tax and rate of a document. */
const taxParts = ({ lines, currency }: Pick<PostingDocument, 'lines' | 'currency'>) =>
  taxBases(lines, currency).map(({ tax_id, tax: amount }) => ({ tax_id, amount }));

/** Returns the journal lines for the cost of goods that leave stock (`out`) or return, in base currency. */
function costLines(
  { lines, base_currency }: Pick<PostingDocument, 'lines' | 'base_currency'>,
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

/** Returns the account of a bill line without stock goods. Chosen: text without an account is a purchased service. */
const expenseAccountOf = ({ expense_account_id, product_id }: PostingLine) =>
  accountOr(expense_account_id, product_id ? 'cogs' : 'purchased_services');

/** Returns the journal lines of a sales invoice: receivable, revenue, tax, and the cost of the goods. */
export function salesLines(document: PostingDocument): JournalLine[] {
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
 * Returns the lines of a purchase invoice: goods into stock, services and other costs, tax, and the payable. Goods are
 * posted line by line at the value reported to inventory.
 */
export function purchaseLines(document: PostingDocument): JournalLine[] {
  const { total, party, open_item_id, lines, currency } = document;
  const costs = lines
    .filter((line) => !line.tracked)
    .map((line) => ({ account: expenseAccountOf(line), amount: line.net }));
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

/** Sales return: revenue and tax reversed, for the credit note. Restocked goods are no longer a cost. */
export function salesReturnLines(document: PostingDocument): JournalLine[] {
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
 * Returns the journal lines of a purchase return. The payable is reduced for the debit note, and the goods leave stock
 * at their current cost. The difference to the purchase price is posted to price variance. In a foreign currency both
 * amounts are, since each is in its own.
 */
export function purchaseReturnLines(document: PostingDocument): JournalLine[] {
  const { total, party, open_item_id, lines, currency, base_currency } = document;
  const goods = lines.filter(({ cost }) => cost !== null);
  const others = lines
    .filter(({ cost }) => cost === null)
    .map((line) => ({ account: expenseAccountOf(line), amount: line.net }));
  const bought = sum(
    goods.map(({ net }) => net),
    currency,
  );
  const remainder = sum(
    goods.map(({ cost }) => cost!),
    base_currency,
  );
  const stock = goods.map((line) => ({ account: accountOr(line.stock_account_id, 'inventory'), amount: line.cost! }));
  const more = { currency: base_currency };
  const difference = currency === base_currency ? subtract(bought, remainder, currency) : undefined;
  const variance = difference?.startsWith('-')
    ? [debit('price_variance', difference.replace('-', ''), { party })]
    : [credit('price_variance', difference ?? bought, { party })];
  return [
    debit('payable', total, { party, open_item_id }),
    ...byAccount(others, currency).map((part) => credit(part.account, part.amount, { party })),
    ...taxParts(document).map(({ tax_id, amount }) => credit('tax_input', amount, { tax_id })),
    ...variance,
    ...(difference === undefined ? [debit('price_variance', remainder, more)] : []),
    ...byAccount(stock, base_currency).map((part) => credit(part.account, part.amount, more)),
  ];
}

/** Posting rules of invoices, by side. */
export const invoicePostings: Readonly<Record<Side, (document: PostingDocument) => JournalLine[]>> = {
  sales: salesLines,
  purchase: purchaseLines,
};

/** Posting rules of returns, by side. */
export const returnLines: Readonly<Record<Side, (document: PostingDocument) => JournalLine[]>> = {
  sales: salesReturnLines,
  purchase: purchaseReturnLines,
};
