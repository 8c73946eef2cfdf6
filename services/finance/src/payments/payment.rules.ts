/** What may become of payments, and their posting rule, as finance.md tables it. */
import { lifecycle } from '@suite/chassis';
import { type AccountRef, credit, debit, type Party, type Side } from '../ledger/journal.rules.ts';
import { claimSides, type Settlement } from '../ledger/claims.rules.ts';

/** The states of the payments of a kind of document. They follow it, and their transaction at the bank. */
const paymentLife = (noun: string, document: string) =>
  lifecycle(
    noun,
    {
      posted: { reconcile: 'reconciled', void: 'voided' },
      reconciled: { unreconcile: 'posted' },
      voided: {},
    },
    {
      actions: {
        allocate: { permission: `${document}.post`, in: ['posted', 'reconciled'] },
        reconcile: { by: 'bankTransactions.reconcile' },
        unreconcile: { by: 'bankTransactions.unreconcile' },
        void: { by: [`${document}s.reverse`, 'finance.refund-pos-order'] },
      },
    },
  );

export const paymentStates = {
  customer: paymentLife('customer_payment', 'revenue'),
  vendor: paymentLife('vendor_payment', 'expense'),
};

/** A payment as it is booked. */
export interface PaymentFigures {
  bank: AccountRef;
  party: Party;
  amount: string;
  base_amount: string;
  settlements: readonly Settlement[];
  /** What is set against nothing yet, and stays with us or with them. */
  rest: string;
  rest_base: string;
  open_item_id: string;
}

/** Payment: what it settles leaves the claims, each at the rate of its own day; the rest is an advance. */
export function paymentSides(payment: PaymentFigures): Side[] {
  const { bank, party, amount, base_amount, settlements, rest, rest_base, open_item_id } = payment;
  const advance = { base: rest_base, open_item_id, party };
  return party.kind === 'customer'
    ? [
        debit(bank, amount, { base: base_amount }),
        ...claimSides(party, settlements),
        credit('customer_advances', rest, advance),
      ]
    : [
        ...claimSides(party, settlements),
        debit('vendor_advances', rest, advance),
        credit(bank, amount, { base: base_amount }),
      ];
}
