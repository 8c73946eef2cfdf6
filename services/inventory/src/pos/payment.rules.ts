/** Payments and refunds of a sale. The payments cover at least its total; only cash gives change. */
import { fault, invalid } from '@suite/chassis';
import { assertExact } from '@suite/document-lines';
import { compare, isZero, subtract, sum } from '@suite/money';
import type { PosOrderInput } from './pos-order.schema.ts';

export const NotPaid = fault(422, 'not_paid', 'The payments are less than the total. Enter the remaining payment.');

export type Payment = PosOrderInput['payments'][number];

export interface Settlement {
  paid: string;
  change: string;
  /** The payments less the change; those that come to zero are left out. */
  kept: Payment[];
}

/** Takes the change out of the cash payments, the last one first. */
export function withoutChange(payments: readonly Payment[], change: string, currency: string): Payment[] {
  let left = change;
  const kept = payments.toReversed().map(({ method, amount }) => {
    const back = method === 'cash' && !isZero(left) ? (compare(amount, left) < 0 ? amount : left) : '0';
    left = subtract(left, back, currency);
    return { method, amount: subtract(amount, back, currency) };
  });
  return kept.toReversed().filter(({ amount }) => !isZero(amount));
}

/** @throws NotPaid; a 422 for an amount that nobody can pay, or for change of what is no cash */
export function settle(payments: readonly Payment[], total: string, currency: string): Settlement {
  for (const [at, { amount }] of payments.entries()) {
    const field = `payments.${at}.amount`;
    if (isZero(amount)) throw invalid(field, 'The amount must be more than zero.');
    assertExact(amount, currency, field);
  }
  const amounts = (some: readonly Payment[]) =>
    sum(
      some.map(({ amount }) => amount),
      currency,
    );
  const paid = amounts(payments);
  if (compare(paid, total) < 0) throw NotPaid({ total, paid, missing: subtract(total, paid, currency) });
  const change = subtract(paid, total, currency);
  const cash = amounts(payments.filter(({ method }) => method === 'cash'));
  if (compare(change, cash) > 0) throw invalid('payments', 'Change is given for cash only.');
  return { paid, change, kept: withoutChange(payments, change, currency) };
}

/** The lesser of two amounts. */
const least = (one: string, other: string): string => (compare(one, other) < 0 ? one : other);

/**
 * How money goes back.
 * Chosen: the way in which it came, in the order of the payments, with cash last. What came by card must go back to the
 * card: that is a rule of the card schemes, and keeps a till from turning cards into cash. In proportion, every small
 * refund would be one for each payment.
 * @param kept what was paid, without the change
 * @param before how much went back before
 * @param now how much goes back; together no more than what was paid
 */
export function moneyBack(kept: readonly Payment[], before: string, now: string, currency: string): Payment[] {
  const isCash = ({ method }: Payment) => method === 'cash';
  const inTurn = [...kept.filter((payment) => !isCash(payment)), ...kept.filter(isCash)];
  let gone = before;
  let due = now;
  const back = inTurn.map(({ method, amount }) => {
    const spent = least(amount, gone);
    const part = least(subtract(amount, spent, currency), due);
    gone = subtract(gone, spent, currency);
    due = subtract(due, part, currency);
    return { method, amount: part };
  });
  return back.filter(({ amount }) => !isZero(amount));
}
