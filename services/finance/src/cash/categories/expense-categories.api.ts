/** Expense categories group expenses. Each posts to a ledger account. */
import { categoryOperations } from './category-operations.ts';

export const { list, create, update, remove } = categoryOperations('expense', {
  list: 'GET /api/expense-categories',
  create: 'POST /api/expense-categories/create',
  update: 'POST /api/expense-categories/update/{id}',
  remove: 'DELETE /api/expense-categories/delete/{id}',
});
