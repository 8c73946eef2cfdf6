/** Lifecycle, amounts and posting rule of transfers, with exchange gains and losses. */
import { invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';
import { assertExact } from '@suite/document-lines';
import { compare, isZero, portion, subtract, sum } from '@suite/money';
import type { Books } from '../../ledger/books/books.ts';
import { exchangeAmount } from '../../ledger/ledger/amount.rules.ts';
import { credit, debit, type JournalLine } from '../../ledger/ledger/journal.rules.ts';
import type { BankTransferInput } from './bank.schema.ts';

export const transferStates = lifecycle(
  'bank_transfer',
  { completed: { reverse: 'reversed' }, reversed: {} },
  { actions: { reverse: 'bank_account.update' } },
);

/** Account of a transfer, with its ledger balance. */
export interface TransferSide {
  id: string;
  gl_account_id: string;
  account_name: string;
  currency: string;
  active: boolean;
  /** Balance in its own currency, and below in base currency. */
  amount: string;
  base: string;
}

/** Amounts of a transfer in both currencies, and their base values. */
export interface TransferredAmounts {
  amount: string;
  received: string;
  fee: string;
  /** Base amounts: sent, charged as a fee, and received. */
  amount_base: string;
  fee_base: string;
  received_base: string;
}

/**
 * Returns the journal lines of a transfer. Between currencies both legs use the exchange account, so that each currency
 * balances. Its remaining base amount is an exchange gain or loss.
 */
export function transferLines(
  from: TransferSide,
  to: TransferSide,
  moved: TransferredAmounts,
  base_currency: string,
): JournalLine[] {
  const { amount, received, fee, amount_base, fee_base, received_base } = moved;
  const [source, destination] = [{ id: from.gl_account_id }, { id: to.gl_account_id }];
  const out = { currency: from.currency, base: amount_base };
  const into = { currency: to.currency, base: received_base };
  const charges = [
    debit('bank_charges', fee, { currency: from.currency, base: fee_base }),
    credit(source, fee, { currency: from.currency, base: fee_base, memo: 'Fee' }),
  ];
  if (from.currency === to.currency) return [debit(destination, amount, out), credit(source, amount, out), ...charges];
  const won = subtract(received_base, amount_base, base_currency);
  const difference = won.replace('-', '');
  const inBase = { currency: base_currency, base: difference };
  const result = won.startsWith('-')
    ? [debit('fx_loss', difference, inBase), credit('currency_exchange', difference, inBase)]
    : [debit('currency_exchange', difference, inBase), credit('fx_gain', difference, inBase)];
  return [
    debit(destination, received, into),
    credit('currency_exchange', received, into),
    debit('currency_exchange', amount, out),
    credit(source, amount, out),
    ...result,
    ...charges,
  ];
}

/** Checks that an account has this amount with a base value. */
const hasAmount = (from: TransferSide, amount: string): boolean =>
  compare(from.amount, amount) >= 0 && compare(from.base, '0') > 0;

/** Returns the base value of foreign money that leaves an account: its share of the account's base balance. */
function baseValueOf(
  from: TransferSide,
  before: string,
  now: string,
  otherwise: (value: string) => string,
  base: string,
) {
  const isCovered = hasAmount(from, sum([before, now], from.currency));
  if (from.currency === base || !isCovered) return otherwise(now);
  return portion(from.base, { whole: from.amount, before, now }, base);
}

export function planTransfer(
  input: BankTransferInput,
  from: TransferSide,
  to: TransferSide,
  { base_currency }: Books,
): TransferredAmounts {
  const { amount, fee, rate, base_rate } = input;
  assertExact(amount, from.currency, 'amount');
  assertExact(fee, from.currency, 'fee');
  if (isZero(amount)) throw invalid('amount', 'Enter an amount greater than zero.');
  const isExchange = from.currency !== to.currency;
  if (!isExchange && rate) throw invalid('rate', `Both accounts are in ${from.currency}. Omit the exchange rate.`);
  const isBase = [from.currency, isExchange && to.currency].includes(base_currency);
  if (isBase && base_rate) throw invalid('base_rate', `One account is in ${base_currency}. Omit the base rate.`);
  if (!isExchange && base_rate && hasAmount(from, sum([amount, fee], from.currency))) {
    throw invalid(
      'base_rate',
      `Both accounts are in ${from.currency}, and the money keeps its base value. Omit the rate.`,
    );
  }
  if (isExchange && !rate) throw invalid('rate', `Enter the exchange rate: ${to.currency} per ${from.currency}.`);
  const inBase = (value: string): string => {
    if (from.currency === base_currency) return value;
    if (isExchange && to.currency === base_currency) return exchangeAmount(value, rate!, base_currency, 'rate');
    if (!base_rate) throw invalid('base_rate', `Enter the exchange rate: ${base_currency} per ${from.currency}.`);
    return exchangeAmount(value, base_rate, base_currency, 'base_rate');
  };
  const amount_base = baseValueOf(from, '0', amount, inBase, base_currency);
  const received = isExchange ? exchangeAmount(amount, rate!, to.currency, 'rate') : amount;
  if (isZero(received))
    throw invalid(
      'rate',
      `At this rate, the amount is less than the smallest unit of ${to.currency}. Enter a larger amount.`,
    );
  const arrives = to.currency === base_currency ? received : isExchange ? inBase(amount) : amount_base;
  const fee_base = isZero(fee) ? '0' : baseValueOf(from, amount, fee, inBase, base_currency);
  return { amount, received, fee, amount_base, fee_base, received_base: arrives };
}
