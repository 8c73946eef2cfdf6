/** Revenue categories group revenues. Each posts to a ledger account. */
import { categoryOperations } from './category-operations.ts';

export const { list, create, update, remove } = categoryOperations('revenue', {
  list: 'GET /api/revenue-categories',
  create: 'POST /api/revenue-categories/create',
  update: 'POST /api/revenue-categories/update/{id}',
  remove: 'DELETE /api/revenue-categories/delete/{id}',
});
