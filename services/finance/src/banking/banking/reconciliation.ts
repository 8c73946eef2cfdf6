/** Reconciliation: a transaction was found on the bank statement. A reconciled transaction cannot be reversed. */
import { find, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Db } from '../../operations.ts';
import { paymentStates, transactionStates } from './reconciliation.rules.ts';

export const Reconciled = fault(
  409,
  'reconciled',
  'This entry is reconciled with the bank. Enter the date of the reversal, or undo the reconciliation first.',
);

/** Marks a transaction as found on the bank statement, or undoes that. The status of its payment follows. */
export async function reconcile(db: Db, id: string, action: 'reconcile' | 'unreconcile'): Promise<void> {
  if (!(await transactionStates.move(db.bankTransaction, id, action))) return;
  const { journal_id, bank_account_id } = await find(db.bankTransaction, id);
  // Payments of customers and vendors change their status in the same way.
  const { set, guard } = paymentStates.customer.moving(action);
  await db.rows(sql`
    UPDATE payments SET ${set}
    WHERE journal_id = ${journal_id}::uuid AND bank_account_id = ${bank_account_id}::uuid AND ${guard}`);
}

/** Locks the bank transactions of an entry before its reversal. @throws Reconciled */
export async function assertUnreconciled(db: Db, journal_id: string): Promise<void> {
  const moved = await db.rows<{ status: string }>(sql`
    SELECT status FROM bank_transactions WHERE journal_id = ${journal_id}::uuid ORDER BY id FOR UPDATE`);
  if (moved.some(({ status }) => status === 'reconciled')) throw Reconciled();
}
