/** Taking back what was posted: by opposite entries, never by a change. */
import { find } from '@suite/chassis';
import { ExpenseReversed } from '@suite/proto/finance/v1/events';
import { booksOf } from '../books/books.ts';
import { assertUnreconciled } from '../banking/reconciliation.ts';
import { reverseEntry } from '../ledger/journal.ts';
import type { Db, CommandContext } from '../operations.ts';
import { voidPayment } from '../payments/payment-voiding.ts';
import { lockCash } from './cash.ts';
import { announced } from './cash-posting.ts';
import { CASH, type CashKind } from './cash-kind.ts';

/** Takes a posted revenue or expense back, with the payment that it made. @throws InvalidTransition, Reconciled, PeriodLocked */
export async function reverseCash(work: CommandContext, kind: CashKind, id: string): Promise<void> {
  const { db, caller, emit } = work;
  const books = await booksOf(db, caller);
  const { states } = CASH[kind];
  const model = (kind === 'revenue' ? db.revenue : db.expense) as Db['revenue'];
  if (!(await states.move(model, id, 'reverse', {}, caller))) return;
  const { number, journal_id, payment_id } = (await find(model, id)) as {
    number: string;
    journal_id: string;
    payment_id: string | null;
  };
  await assertUnreconciled(db, journal_id);
  const narration = `${number} reversed`;
  if (payment_id) await voidPayment(work, payment_id, narration);
  else await reverseEntry(db, journal_id, { narration });
  if (kind === 'revenue') return;
  emit(ExpenseReversed, announced({ ...(await lockCash(db, kind, id)), number }, books));
}
