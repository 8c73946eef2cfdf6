/** Payments and refunds of a sale. Payments must cover the total. Only cash payments give change. */
import { fault, invalid } from '@suite/chassis/faults';
import { assertExact } from '@suite/document-lines';
import { compare, isZero, subtract, sum } from '@suite/money';
import type { PosOrderInput } from './pos-order.schema.ts';

export const NotPaid = fault(422, 'not_paid', 'The payments are less than the total. Enter the remaining payment.');

export type PosPayment = PosOrderInput['payments'][number];

export interface PosSettlement {
  paid: string;
  change: string;
  /** Payments less change, without zero amounts. */
  kept: PosPayment[];
}

/** Deducts the change from the cash payments, last one first. */
export function withoutChange(payments: readonly PosPayment[], change: string, currency: string): PosPayment[] {
  let left = change;
  const keptPayments = payments.toReversed().map(({ method, amount }) => {
    const back = method === 'cash' && !isZero(left) ? (compare(amount, left) < 0 ? amount : left) : '0';
    left = subtract(left, back, currency);
    return { method, amount: subtract(amount, back, currency) };
  });
  return keptPayments.toReversed().filter(({ amount }) => !isZero(amount));
}

/**
 * Checks payments and calculates the change. @throws NotPaid; a 422 for an amount with too many decimals, or for change
 * without cash
 */
export function settlePayments(payments: readonly PosPayment[], total: string, currency: string): PosSettlement {
  for (const [at, { amount }] of payments.entries()) {
    const field = `payments.${at}.amount`;
    if (isZero(amount)) throw invalid(field, 'Enter an amount greater than zero.');
    assertExact(amount, currency, field);
  }
  const amounts = (some: readonly PosPayment[]) =>
    sum(
      some.map(({ amount }) => amount),
      currency,
    );
  const paid = amounts(payments);
  if (compare(paid, total) < 0) throw NotPaid({ total, paid, missing: subtract(total, paid, currency) });
  const change = subtract(paid, total, currency);
  const cash = amounts(payments.filter(({ method }) => method === 'cash'));
  if (compare(change, cash) > 0)
    throw invalid('payments', 'Only cash payments can exceed the total. Enter a lower amount.');
  return { paid, change, kept: withoutChange(payments, change, currency) };
}

/** Returns the smaller of two amounts. */
const smaller = (one: string, other: string): string => (compare(one, other) < 0 ? one : other);

/**
 * Allocates a refund to the original payments. Chosen: payments are refunded by their original method, in payment
 * order, with cash last. Card schemes require refunds to the card, which also prevents turning card payments into cash.
 * Proportional refunds would need one refund per payment even for small amounts.
 * @param keptPayments payments without change
 * @param before amount refunded before
 * @param now amount to refund. Both together are at most the payments
 */
export function refundPayments(
  keptPayments: readonly PosPayment[],
  before: string,
  now: string,
  currency: string,
): PosPayment[] {
  const isCash = ({ method }: PosPayment) => method === 'cash';
  const inTurn = [...keptPayments.filter((payment) => !isCash(payment)), ...keptPayments.filter(isCash)];
  let gone = before;
  let due = now;
  const back = inTurn.map(({ method, amount }) => {
    const spent = smaller(amount, gone);
    const part = smaller(subtract(amount, spent, currency), due);
    gone = subtract(gone, spent, currency);
    due = subtract(due, part, currency);
    return { method, amount: part };
  });
  return back.filter(({ amount }) => !isZero(amount));
}

/** Checks if a sale has a cash payment. */
export const hasCash = (payments: readonly { method: string }[]): boolean =>
  payments.some(({ method }) => method === 'cash');
