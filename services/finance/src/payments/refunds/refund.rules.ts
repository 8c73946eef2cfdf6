/** Lifecycle of refunds, and their posting rule. */
import { lifecycle } from '@suite/chassis/operations';
import type { Side } from '../../invoices/documents/side.ts';
import { credit, debit, type JournalLine, type Party } from '../../ledger/ledger/journal.rules.ts';

const refundLifecycle = <Noun extends string>(noun: Noun, permission: `${string}.${string}`) =>
  lifecycle(noun, { posted: { reverse: 'reversed' }, reversed: {} }, { actions: { reverse: permission } });

/** Refund statuses. Chosen: the permission to reverse a payment includes refunds, since both move money at the bank. */
export const refundStates = {
  sales: refundLifecycle('customer_refund', 'revenue.post'),
  purchase: refundLifecycle('vendor_refund', 'expense.post'),
};

/** Money that a refund moves. */
interface RefundedMoney {
  party: Party;
  bank: { gl_account_id: string };
  amount: string;
  open_item_id: string;
}

/** Returns the journal lines of a refund: to a customer from the bank, or from a vendor to the bank. */
export function refundLines(side: Side, { party, bank, amount, open_item_id }: RefundedMoney): JournalLine[] {
  const account = { id: bank.gl_account_id };
  const control = { party, open_item_id };
  return side === 'sales'
    ? [debit('receivable', amount, control), credit(account, amount)]
    : [debit(account, amount), credit('payable', amount, control)];
}
