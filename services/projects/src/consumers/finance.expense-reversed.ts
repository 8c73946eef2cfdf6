import { ExpenseReversed } from '@suite/proto/finance/v1/events';
import { storeExpense } from '../billing/costs/expense.ts';
import { on } from '../operations.ts';

/** Removes a reversed expense from the cost of its project. */
export const recordExpenseReversal = on(ExpenseReversed, 'projects.take-expense-back', ({ event, db }) =>
  storeExpense(db, event, { reversed: true }),
);
