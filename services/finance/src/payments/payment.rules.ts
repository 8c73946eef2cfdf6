/** The posting rule of payments, as finance.md tables it. */
import { type AccountRef, credit, debit, type Party, type JournalLine } from '../ledger/journal.rules.ts';
import { claimLines, type Settlement } from '../ledger/claims.rules.ts';

/** A payment as it is booked. */
export interface PaymentFigures {
  bank: AccountRef;
  party: Party;
  amount: string;
  base_amount: string;
  settlements: readonly Settlement[];
  /** The part that is not allocated, and stays as an advance. */
  rest: string;
  rest_base: string;
  open_item_id: string;
}

/** Payment: what it settles leaves the claims, each at the rate of its own day; the rest is an advance. */
export function paymentLines(payment: PaymentFigures): JournalLine[] {
  const { bank, party, amount, base_amount, settlements, rest, rest_base, open_item_id } = payment;
  const advance = { base: rest_base, open_item_id, party };
  return party.kind === 'customer'
    ? [
        debit(bank, amount, { base: base_amount }),
        ...claimLines(party, settlements),
        credit('customer_advances', rest, advance),
      ]
    : [
        ...claimLines(party, settlements),
        debit('vendor_advances', rest, advance),
        credit(bank, amount, { base: base_amount }),
      ];
}
