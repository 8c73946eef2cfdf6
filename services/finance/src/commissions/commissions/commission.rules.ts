/** Lifecycle of commissions, and their posting rules. */
import { lifecycle } from '@suite/chassis/operations';
import { compare, subtract, sum } from '@suite/money';
import { type AccountRef, credit, debit, type JournalLine } from '../../ledger/ledger/journal.rules.ts';

/**
 * Returns the journal lines for a change of an outstanding commission. The amount is negative after a return or a
 * voided payment.
 */
export function accrualLines(amount: string, memo: string): JournalLine[] {
  const size = amount.replace('-', '');
  return amount.startsWith('-')
    ? [debit('commission_payable', size, { memo }), credit('commission_expense', size, { memo })]
    : [debit('commission_expense', size, { memo }), credit('commission_payable', size, { memo })];
}

/** Returns the journal lines for a payout to an agent, less the clawbacks that are set off. */
export function payoutLines(
  bank: AccountRef,
  amounts: readonly string[],
  memo: string,
  currency: string,
): JournalLine[] {
  const owed = amounts.map((amount) =>
    amount.startsWith('-')
      ? credit('commission_payable', amount.replace('-', ''), { memo })
      : debit('commission_payable', amount, { memo }),
  );
  const net = sum(amounts, currency);
  const moved = compare(net, '0') < 0 ? debit(bank, subtract('0', net, currency)) : credit(bank, net);
  return [...owed, moved];
}

/** Commission statuses. `reverse` is the effect of a return or a voided payment on the unpaid part. */
export const commissionStates = lifecycle(
  'commission',
  {
    accrued: { approve: 'approved', reverse: 'reversed' },
    approved: { pay: 'paid', reverse: 'reversed' },
    paid: {},
    reversed: {},
  },
  {
    actions: {
      approve: 'commission.update',
      pay: 'commission.update',
      reverse: { by: ['salesReturns.complete', 'salesInvoices.cancel', 'revenues.reverse'] },
    },
  },
);
