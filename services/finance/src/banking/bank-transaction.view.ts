/** How transactions of bank accounts are shown. */
import { type Caller, sql, type View } from '@suite/chassis';
import { transactionStates } from './reconciliation.rules.ts';

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
      allowed_actions: transactionStates.shownTo(caller, 'bank_transactions'),
    },
  }) satisfies View;
