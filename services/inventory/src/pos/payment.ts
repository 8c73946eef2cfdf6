/** How a sale is paid: with at least what it comes to. Only cash gives change. */
import { fault, invalid } from '@suite/chassis';
import { compare, isOverPrecise, isZero, subtract, sum } from '@suite/money';
import type { PosOrderInput } from './pos-order.schema.ts';

export const NotPaid = fault(422, 'not_paid', 'The payments are less than what the sale comes to.');

type Payment = PosOrderInput['payments'][number];

export interface Settlement {
  paid: string;
  change: string;
  /** What the payments leave when the change is taken off, those of nothing left out. */
  kept: Payment[];
}

/** Takes the change out of what was paid in cash, the last banknote first. */
function keep(payments: readonly Payment[], change: string, currency: string): Payment[] {
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
    if (isZero(amount)) throw invalid(field, 'Pay more than nothing.');
    if (isOverPrecise(amount, currency)) throw invalid(field, `This has more decimals than ${currency}.`);
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
  return { paid, change, kept: keep(payments, change, currency) };
}
