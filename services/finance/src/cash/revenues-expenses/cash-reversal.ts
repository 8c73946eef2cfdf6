/** Reversal of posted revenues and expenses: by reversing entries, never by a change. */
import { find } from '@suite/chassis/database';
import { ExpenseReversed } from '@suite/proto/finance/v1/events';
import { booksOf } from '../../ledger/books/books.ts';
import { assertUnreconciled } from '../../banking/banking/reconciliation.ts';
import { assertNotBefore } from '../../ledger/ledger/open-items.rules.ts';
import { reverseEntry } from '../../ledger/ledger/journal.ts';
import type { Db, CommandContext } from '../../operations.ts';
import { voidPayment } from '../../payments/payments/payment-voiding.ts';
import { lockIncomeOrExpense } from './cash.ts';
import { toExpenseEvent } from './cash-posting.ts';
import { CASH, type CashKind } from './cash-kind.ts';

/**
 * Reverses a posted revenue or expense, with its payment.
 * @param date of the reversal. If set, a reconciled entry is reversed, too
 * @throws InvalidTransition, Reconciled, BeforeDocument, PeriodLocked
 */
export async function reverseIncomeOrExpense(
  context: CommandContext,
  kind: CashKind,
  id: string,
  date?: string,
): Promise<void> {
  const { db, caller, emit } = context;
  const books = await booksOf(db, caller);
  const { states } = CASH[kind];
  const model = (kind === 'revenue' ? db.revenue : db.expense) as Db['revenue'];
  if (!(await states.move(model, id, 'reverse', {}, caller))) return;
  const {
    number,
    journal_id,
    payment_id,
    date: day,
  } = (await find(model, id)) as {
    number: string;
    journal_id: string;
    payment_id: string | null;
    date: Date;
  };
  if (date) assertNotBefore(date, [{ date: day.toISOString().slice(0, 10), number }]);
  else await assertUnreconciled(db, journal_id);
  const narration = `${number} reversed`;
  if (payment_id) await voidPayment(context, payment_id, { narration, date });
  else await reverseEntry(db, journal_id, { ...(date && { date }), narration });
  if (kind === 'revenue') return;
  emit(ExpenseReversed, toExpenseEvent({ ...(await lockIncomeOrExpense(db, kind, id)), number }, books));
}
