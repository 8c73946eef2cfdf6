import { ExpensePosted } from '@suite/proto/finance/v1/events';
import { storeExpense } from '../billing/costs/expense.ts';
import { on } from '../operations.ts';

/** Adds a posted expense to the cost of its project. */
export const addExpense = on(ExpensePosted, 'projects.add-expense', ({ event, db }) =>
  storeExpense(db, event, { reversed: false }),
);
