/** Categories: the subjects that tickets, frequent questions and articles are sorted by. */
import { can, page, paginate } from '@suite/chassis';
import { query } from '../operations.ts';
import { Category, CategoryFilter } from './category.schema.ts';

export const list = query('GET /api/support-ticket/categories', {
  summary: 'List categories of the support desk',
  access: can('ticket.view'),
  query: CategoryFilter,
  reply: page(Category),
  handle: ({ db, query }) => paginate(db, query, { table: 'categories' }),
});
