/** The lifecycle of bank transactions, and of the payments that follow them. */
import { lifecycle } from '@suite/chassis';

/** A transaction of ours is reconciled when it was found on the statement of the bank. */
export const transactionStates = lifecycle(
  'bank_transaction',
  { unreconciled: { reconcile: 'reconciled' }, reconciled: { unreconcile: 'unreconciled' } },
  { actions: { reconcile: 'bank_account.update', unreconcile: 'bank_account.update' } },
);

/** The states of the payments of a kind of document. They follow it, and their transaction at the bank. */
const paymentLife = (noun: string, document: string) =>
  lifecycle(
    noun,
    {
      posted: { reconcile: 'reconciled', void: 'voided' },
      reconciled: { unreconcile: 'posted', void: 'voided' },
      voided: {},
    },
    {
      actions: {
        allocate: { permission: `${document}.post`, in: ['posted', 'reconciled'] },
        deallocate: { permission: `${document}.post`, in: ['posted', 'reconciled'] },
        refund: { permission: `${document}.post`, in: ['posted', 'reconciled'] },
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
