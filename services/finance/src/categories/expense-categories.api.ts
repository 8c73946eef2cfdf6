/** Expense categories: they group expenses, and each has the account that its expenses are booked on. */
import { categoryOperations } from './category-operations.ts';

export const { list, create, update, remove } = categoryOperations('expense', {
  list: 'GET /api/expense-categories',
  create: 'POST /api/expense-categories/create',
  update: 'POST /api/expense-categories/update/{id}',
  remove: 'DELETE /api/expense-categories/delete/{id}',
});
