import { ExpenseReversed } from '@suite/proto/finance/v1/events';
import { keepExpense } from '../costs/expense.ts';
import { on } from '../operations.ts';

/** An expense that was taken back costs a project nothing. */
export const takeExpenseBack = on(ExpenseReversed, 'projects.take-expense-back', ({ event, db }) =>
  keepExpense(db, event, { reversed: true }),
);
