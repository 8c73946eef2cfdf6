/** Reconciling: a transaction of ours was found on the statement of the bank. What is reconciled is not taken back. */
import { fault, find, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';
import { paymentStates, transactionStates } from './reconciliation.rules.ts';

export const Reconciled = fault(
  409,
  'reconciled',
  'This entry is reconciled with the bank. Enter the date of the reversal, or undo the reconciliation first.',
);

/** Marks a transaction as found at the bank, or takes that back; the payment behind it follows. */
export async function reconcile(db: Db, id: string, action: 'reconcile' | 'unreconcile'): Promise<void> {
  if (!(await transactionStates.move(db.bankTransaction, id, action))) return;
  const { journal_id, bank_account_id } = await find(db.bankTransaction, id);
  // Payments of customers and of vendors move alike.
  const { set, guard } = paymentStates.customer.moving(action);
  await db.rows(sql`
    UPDATE payments SET ${set}
    WHERE journal_id = ${journal_id}::uuid AND bank_account_id = ${bank_account_id}::uuid AND ${guard}`);
}

/** Locks the transactions of an entry that is to be reversed. @throws Reconciled */
export async function assertUnreconciled(db: Db, journal_id: string): Promise<void> {
  const moved = await db.rows<{ status: string }>(sql`
    SELECT status FROM bank_transactions WHERE journal_id = ${journal_id}::uuid ORDER BY id FOR UPDATE`);
  if (moved.some(({ status }) => status === 'reconciled')) throw Reconciled();
}
