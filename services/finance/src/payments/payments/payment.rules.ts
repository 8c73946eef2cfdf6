/** Posting rule of payments. */
import { type AccountRef, credit, debit, type Party, type JournalLine } from '../../ledger/ledger/journal.rules.ts';
import { claimLines, type Settlement } from '../../ledger/ledger/open-items.rules.ts';

/** Payment with the amounts to post. */
export interface PaymentAmounts {
  bank: AccountRef;
  party: Party;
  amount: string;
  base_amount: string;
  settlements: readonly Settlement[];
  /** Unallocated part, which remains as an advance. */
  rest: string;
  rest_base: string;
  open_item_id: string;
}

/**
 * Returns the journal lines of a payment: the settled claims, each at the rate of its own date, and the remainder as an
 * advance.
 */
export function paymentLines(payment: PaymentAmounts): JournalLine[] {
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
