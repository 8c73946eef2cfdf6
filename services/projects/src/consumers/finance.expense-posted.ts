import { ExpensePosted } from '@suite/proto/finance/v1/events';
import { keepExpense } from '../costs/expense.ts';
import { on } from '../operations.ts';

/** An expense that was booked on a project is a part of its cost. */
export const addExpense = on(ExpensePosted, 'projects.add-expense', ({ event, db }) =>
  keepExpense(db, event, { reversed: false }),
);
