/** Lines of a journal entry before posting: debits and credits, in the currency of their document. */
import { isZero, subtract, sum, toBase } from '@suite/money';
import { z } from 'zod';
import type { SystemRole } from '../books/seeded-chart.ts';

/** Account, by its system role or its ID. */
export type AccountRef = SystemRole | { id: string };

export interface Party {
  kind: 'customer' | 'vendor' | 'employee';
  id: string;
}

/** Debit or credit of an account. */
export interface JournalLine {
  account: AccountRef;
  side: 'debit' | 'credit';
  /** Amount in the document's currency, not negative. Lines with a zero amount are omitted. */
  amount: string;
  /** Amount in base currency, if already known. A settled amount keeps the rate of its own date. */
  base?: string;
  /** Currency of the amount, if it differs from the document's. */
  currency?: string;
  party?: Party | null;
  /** Open item that the line opens or settles. Required on control accounts, not allowed on others. */
  open_item_id?: string | null;
  tax_id?: string | null;
  product_id?: string | null;
  warehouse_id?: string | null;
  project_id?: string | null;
  memo?: string;
}

/** Currency of a document, and its rate to the base currency. */
export interface CurrencyTerms {
  currency: string;
  /** Exchange rate: base currency per unit of the document's currency. */
  rate: string;
  base_currency: string;
}

/** Journal line with its amount in base currency. */
export interface BaseLine extends JournalLine {
  base: string;
  currency: string;
  /** Exchange rate. Undefined if the base amount is set: the rate then results from the two amounts. */
  rate: string | undefined;
  /** Base currency. */
  base_currency: string;
}

export const debit = (account: AccountRef, amount: string, more: Partial<JournalLine> = {}): JournalLine => ({
  account,
  side: 'debit',
  amount,
  ...more,
});

export const credit = (account: AccountRef, amount: string, more: Partial<JournalLine> = {}): JournalLine => ({
  account,
  side: 'credit',
  amount,
  ...more,
});

/** Returns the account with an ID, or the default account of a role. */
export const accountOr = (id: string | null, role: SystemRole): AccountRef => (id ? { id } : role);

/** Account with an amount to debit or credit. */
export interface JournalPart {
  account: AccountRef;
  amount: string;
}

/** Sums amounts by account. */
export function byAccount(parts: readonly JournalPart[], currency: string): JournalPart[] {
  const groups = Map.groupBy(parts, (part) => (typeof part.account === 'string' ? part.account : part.account.id));
  return [...groups.values()].map((group) => ({
    account: group[0]!.account,
    amount: sum(
      group.map(({ amount }) => amount),
      currency,
    ),
  }));
}

/**
 * Converts lines to base currency. Rounding differences go to the rounding account. If an item posted at another
 * exchange rate is settled, they go to exchange gains or losses. Chosen: an amount that rounds to zero in base currency
 * is posted with its own amount only. Banks and open items are then exact in their currency, and no document is blocked.
 */
export function toBaseCurrency(
  sides: readonly JournalLine[],
  { currency, rate, base_currency }: CurrencyTerms,
): BaseLine[] {
  const lines = sides
    .filter(({ amount, base }) => !isZero(amount) || (base !== undefined && !isZero(base)))
    .map((side) => {
      const line = { ...side, currency: side.currency ?? currency };
      const base =
        side.base ?? (line.currency === base_currency ? side.amount : toBase(side.amount, rate, base_currency));
      return {
        ...line,
        rate: line.currency === base_currency ? '1' : side.base === undefined ? rate : undefined,
        base,
        base_currency,
      };
    });
  const total = (lineSide: JournalLine['side']) =>
    sum(
      lines.filter(({ side }) => side === lineSide).map(({ base }) => base),
      base_currency,
    );
  const difference = subtract(total('debit'), total('credit'), base_currency);
  if (isZero(difference)) return lines;
  if (sides.some(({ base }) => base !== undefined))
    return [...lines, exchangeDifference(difference, { currency, base_currency })];
  const side = difference.startsWith('-') ? 'debit' : 'credit';
  return [
    ...lines,
    { account: 'rounding', side, amount: '0', base: difference.replace('-', ''), currency, rate, base_currency },
  ];
}

/**
 * Returns the stored amount of a line. Without a debit or credit in base currency, its sign is the side: negative for a
 * credit.
 */
export const storedAmount = ({ side, amount, base }: Pick<BaseLine, 'side' | 'amount' | 'base'>): string =>
  side === 'credit' && isZero(base) && !isZero(amount) ? `-${amount}` : amount;

/** Returns the line of an exchange gain, or of a loss if it is negative. The line has a base value only. */
export function exchangeDifference(gain: string, { currency, base_currency }: Omit<CurrencyTerms, 'rate'>): BaseLine {
  const isLoss = gain.startsWith('-');
  return {
    account: isLoss ? 'fx_loss' : 'fx_gain',
    side: isLoss ? 'debit' : 'credit',
    amount: '0',
    base: gain.replace('-', ''),
    currency,
    rate: '1',
    base_currency,
  };
}

/** Types of records that post to the ledger. Other services add a type here before they post with it. */
export const SourceType = z.enum(
  [
    'allocation',
    'bank_account',
    'bank_transfer',
    'commission',
    'deallocation',
    'exchange_difference',
    'expense',
    'manual',
    'opening_balance',
    'payroll',
    'payroll_loan',
    'pos_order',
    'purchase_invoice',
    'purchase_return',
    'refund',
    'revaluation',
    'revenue',
    'sales_invoice',
    'sales_return',
    'stock_account_change',
    'stock_adjustment',
  ],
  'Choose a source type that posts to the ledger.',
);

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const PURPOSE = new RegExp(
  '^(?:reversal of )*(?:post|complete|apply|opening|next day|commission(?: cancelled)?|' +
    `(?:approve|pay|recover)(?:\\.\\d{1,9})*|(?:account|allocation|refund) ${UUID})$`,
);

/** Purpose of an entry. Some name a part of the source: `refund 0198…`, `pay.2`. */
export const Purpose = z
  .string()
  .regex(PURPOSE, 'Enter a valid purpose, such as `post`, `pay.1` or `reversal of post`.');
