/** Approval of revenues and expenses. */
import { find } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { booksOf } from '../../ledger/books/books.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { CASH, type CashKind } from './cash-kind.ts';

export const ApproverIsAuthor = fault(409, 'four_eyes', 'You cannot approve your own document. Ask another approver.');

const modelOf = (db: Db, kind: CashKind) => (kind === 'revenue' ? db.revenue : db.expense) as Db['revenue'];

/** Approves a draft. @throws ApproverIsAuthor if another user must approve it */
export async function approveIncomeOrExpense(
  { db, caller }: CommandContext & { caller: Caller },
  kind: CashKind,
  id: string,
  now: Date,
): Promise<void> {
  const { four_eyes } = await booksOf(db, caller);
  const approval = { approved_by: caller.user_id, approved_at: now };
  const { states } = CASH[kind];
  if (!(await states.move(modelOf(db, kind), id, 'approve', approval, caller))) return;
  const { created_by } = await find(modelOf(db, kind), id);
  if (four_eyes && created_by === caller.user_id) throw ApproverIsAuthor();
}

/** Withdraws an approval, so that the document can be changed again. */
export async function unapproveIncomeOrExpense(
  { db, caller }: Pick<CommandContext, 'db' | 'caller'>,
  kind: CashKind,
  id: string,
): Promise<void> {
  const patch = { approved_by: null, approved_at: null };
  await CASH[kind].states.move(modelOf(db, kind), id, 'unapprove', patch, caller);
}
