import { lifecycle } from '@suite/chassis';

/** A transaction of ours is reconciled when it was found on the statement of the bank. */
export const transactionStates = lifecycle(
  'bank_transaction',
  { unreconciled: { reconcile: 'reconciled' }, reconciled: { unreconcile: 'unreconciled' } },
  { actions: { reconcile: 'bank_account.update', unreconcile: 'bank_account.update' } },
);
