/** The lifecycle of commissions, and their posting rules by the tables of finance.md. */
import { lifecycle } from '@suite/chassis';
import { compare, subtract, sum } from '@suite/money';
import { type AccountRef, credit, debit, type JournalLine } from '../ledger/journal.rules.ts';

/** A change of the amount owed to an agent; negative after a return, or when a payment was voided. */
export function accrualLines(amount: string, memo: string): JournalLine[] {
  const size = amount.replace('-', '');
  return amount.startsWith('-')
    ? [debit('commission_payable', size, { memo }), credit('commission_expense', size, { memo })]
    : [debit('commission_expense', size, { memo }), credit('commission_payable', size, { memo })];
}

/** The amount paid to an agent, less the clawbacks that are set off. */
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

/** `reverse` is what a return or a voided payment does to what is not paid yet. */
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
