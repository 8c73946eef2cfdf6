/** How transactions of bank accounts are shown. */
import { type Caller, sql, type View } from '@suite/chassis';
import { actionsOf } from '../actions.ts';
import { transactionStates } from './reconciliation.ts';

const actions = actionsOf(transactionStates, {
  reconcile: 'bank_account.update',
  unreconcile: 'bank_account.update',
});

const running = sql`
  SELECT sum(CASE direction WHEN 'in' THEN amount ELSE - amount END) FROM bank_transactions AS before
  WHERE before.bank_account_id = bank_transactions.bank_account_id AND (before.date, before.sequence, before.position)
    <= (bank_transactions.date, bank_transactions.sequence, bank_transactions.position)`;

/** How transactions are read for a caller. */
export const transactionView = (caller: Caller) =>
  ({
    table: 'bank_transactions',
    compute: {
      running_balance: running,
      allowed_actions: actions.shown('bank_transactions', caller),
    },
  }) satisfies View;
