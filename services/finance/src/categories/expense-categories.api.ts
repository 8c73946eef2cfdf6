/** Expense categories: what expenses are grouped by, each with the account that it is booked on. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { accountSummary, changeCategory, createCategory, removeCategory } from './category.ts';
import { CategoryChanges, CategoryInput, ExpenseCategory, ExpenseCategoryFilter } from './category.schema.ts';

const { query, command } = accounting;

export const list = query('GET /api/expense-categories', {
  summary: 'List expense categories',
  access: can('expense.view'),
  query: ExpenseCategoryFilter,
  reply: page(ExpenseCategory),
  handle: ({ db, query }) => paginate(db, query, { table: 'expense_categories', expand: accountSummary(db) }),
});

export const create = command('POST /api/expense-categories/create', {
  summary: 'Create a category of expenses',
  access: can('expense.approve'),
  body: CategoryInput,
  reply: created(ExpenseCategory),
  handle: ({ db, body, caller }) => createCategory(db, 'expense', body, caller),
});

export const update = command('POST /api/expense-categories/update/{id}', {
  summary: 'Change a category of expenses',
  description: 'What is posted stays on the account that it was posted to.',
  access: can('expense.approve'),
  params: { id: idOf('expense_categories') },
  body: CategoryChanges,
  reply: ok(ExpenseCategory),
  handle: ({ db, params, body, expect }) => changeCategory(db, 'expense', params.id, body, expect),
});

export const remove = command('DELETE /api/expense-categories/delete/{id}', {
  summary: 'Delete a category of expenses',
  description: 'One that is in use is archived instead, by a change.',
  access: can('expense.approve'),
  params: { id: idOf('expense_categories') },
  reply: removed,
  handle: ({ db, params }) => removeCategory(db, 'expense', params.id),
});
