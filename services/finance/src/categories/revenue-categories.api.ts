/** Revenue categories: what revenues are grouped by, each with the account that it is booked on. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { accounting } from '../operations.ts';
import { accountSummary, changeCategory, createCategory, removeCategory } from './category.ts';
import { CategoryChanges, CategoryInput, RevenueCategory, RevenueCategoryFilter } from './category.schema.ts';

const { query, command } = accounting;

export const list = query('GET /api/revenue-categories', {
  summary: 'List revenue categories',
  access: can('revenue.view'),
  query: RevenueCategoryFilter,
  reply: page(RevenueCategory),
  handle: ({ db, query }) => paginate(db, query, { table: 'revenue_categories', expand: accountSummary(db) }),
});

export const create = command('POST /api/revenue-categories/create', {
  summary: 'Create a category of revenues',
  access: can('revenue.approve'),
  body: CategoryInput,
  reply: created(RevenueCategory),
  handle: ({ db, body, caller }) => createCategory(db, 'revenue', body, caller),
});

export const update = command('POST /api/revenue-categories/update/{id}', {
  summary: 'Change a category of revenues',
  description: 'What is posted stays on the account that it was posted to.',
  access: can('revenue.approve'),
  params: { id: idOf('revenue_categories') },
  body: CategoryChanges,
  reply: ok(RevenueCategory),
  handle: ({ db, params, body, expect }) => changeCategory(db, 'revenue', params.id, body, expect),
});

export const remove = command('DELETE /api/revenue-categories/delete/{id}', {
  summary: 'Delete a category of revenues',
  description: 'One that is in use is archived instead, by a change.',
  access: can('revenue.approve'),
  params: { id: idOf('revenue_categories') },
  reply: removed,
  handle: ({ db, params }) => removeCategory(db, 'revenue', params.id),
});
