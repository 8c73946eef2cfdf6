/** The lines of a journal entry before it is booked: debits and credits, in the currency of their document. */
import { fault } from '@suite/chassis';
import { isZero, subtract, sum, toBase } from '@suite/money';
import { z } from 'zod';
import type { SystemRole } from '../books/seeded-chart.ts';

/** An account by what the suite uses it for, or by its id. */
export type AccountRef = SystemRole | { id: string };

export interface Party {
  kind: 'customer' | 'vendor' | 'employee';
  id: string;
}

/** One side: an amount that an account is debited or credited with. */
export interface JournalLine {
  account: AccountRef;
  side: 'debit' | 'credit';
  /** In the document's currency, not negative; a side of nothing is left out. */
  amount: string;
  /** The amount in base currency where it is known already: of what is settled, the rate of its own day counts. */
  base?: string;
  /** The currency of the amount, where it is not the document's. */
  currency?: string;
  party?: Party | null;
  /** The open item of a customer or vendor that it opens or settles: on control accounts always, elsewhere never. */
  open_item_id?: string | null;
  tax_id?: string | null;
  product_id?: string | null;
  warehouse_id?: string | null;
  project_id?: string | null;
  memo?: string;
}

/** In which currency a document is, and what that is worth in the books. */
export interface Terms {
  currency: string;
  /** How much of the base currency one unit of the document's is worth. */
  rate: string;
  base_currency: string;
}

/** A side with its amount in base currency. */
export interface BaseLine extends JournalLine {
  base: string;
  currency: string;
  /** Undefined where the base amount is given: the rate follows from the two amounts. */
  rate: string | undefined;
  /** The currency of the books. */
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

/** An account by its id where one is named, else the usual one. */
export const accountOr = (id: string | null, role: SystemRole): AccountRef => (id ? { id } : role);

/** An account, and the amount that it is debited or credited with. */
export interface Part {
  account: AccountRef;
  amount: string;
}

/** Amounts of one account together. */
export function byAccount(parts: readonly Part[], currency: string): Part[] {
  const groups = Map.groupBy(parts, (part) => (typeof part.account === 'string' ? part.account : part.account.id));
  return [...groups.values()].map((group) => ({
    account: group[0]!.account,
    amount: sum(
      group.map(({ amount }) => amount),
      currency,
    ),
  }));
}

export const AmountTooSmall = fault(
  422,
  'amount_too_small',
  'This amount is too small: it rounds to zero in the base currency. Enter a larger amount.',
);

/**
 * The sides as they are booked. What conversion leaves over goes to the account of roundings or, where something is
 * settled that was booked at another rate, to gains or losses by the exchange rate.
 */
export function toBaseCurrency(sides: readonly JournalLine[], { currency, rate, base_currency }: Terms): BaseLine[] {
  const lines = sides
    .filter(({ amount, base }) => !isZero(amount) || (base !== undefined && !isZero(base)))
    .map((side) => {
      const line = { ...side, currency: side.currency ?? currency };
      const base =
        side.base ?? (line.currency === base_currency ? side.amount : toBase(side.amount, rate, base_currency));
      if (isZero(base)) throw AmountTooSmall();
      return {
        ...line,
        rate: line.currency === base_currency ? '1' : side.base === undefined ? rate : undefined,
        base,
        base_currency,
      };
    });
  const total = (which: JournalLine['side']) =>
    sum(
      lines.filter(({ side }) => side === which).map(({ base }) => base),
      base_currency,
    );
  const left = subtract(total('debit'), total('credit'), base_currency);
  if (isZero(left)) return lines;
  if (sides.some(({ base }) => base !== undefined))
    return [...lines, exchangeDifference(left, { currency, base_currency })];
  const side = left.startsWith('-') ? 'debit' : 'credit';
  return [
    ...lines,
    { account: 'rounding', side, amount: '0', base: left.replace('-', ''), currency, rate, base_currency },
  ];
}

/** The line of an exchange gain, or of a loss if it is negative. It has a base value only. */
export function exchangeDifference(gain: string, { currency, base_currency }: Omit<Terms, 'rate'>): BaseLine {
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

/** The types of records that post to the ledger. Other services add a type here before they post with it. */
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

/** The purpose of an entry. Some name a part of the source: `refund 0198…`, `pay.2`. */
export const Purpose = z
  .string()
  .regex(PURPOSE, 'Enter a purpose that entries have, such as `post`, `pay.1` or `reversal of post`.');
