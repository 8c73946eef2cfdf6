/** Lifecycle of bank transactions, and of their payments. */
import { lifecycle, recordActions } from '@suite/chassis/operations';

/** Lifecycle of a bank transaction. It is reconciled after it was found on the bank statement. */
export const transactionStates = lifecycle(
  'bank_transaction',
  { unreconciled: { reconcile: 'reconciled' }, reconciled: { unreconcile: 'unreconciled' } },
  { actions: { reconcile: 'bank_account.update', unreconcile: 'bank_account.update' } },
);

/** Statuses of the payments of a document type. They follow the document and its bank transaction. */
const paymentLifecycle = (noun: string, document: string) =>
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
  customer: paymentLifecycle('customer_payment', 'revenue'),
  vendor: paymentLifecycle('vendor_payment', 'expense'),
};

/** Actions on bank accounts. The cash box is not deleted. */
export const bankAccountActions = recordActions('bank_account', {
  update: 'bank_account.update',
  delete: { permission: 'bank_account.delete', unless: 'is_cash' },
});
