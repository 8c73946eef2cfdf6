/** Categories: groups of products, and of other income and expenses, as a tree. */
import { can, created, idOf, ok, page, paginate, removed } from '@suite/chassis';
import { inProducts } from '../operations.ts';
import { changeCategory, createCategory, removeCategory } from './category.ts';
import { Category, CategoryChanges, CategoryFilter, CategoryInput } from './category.schema.ts';

const { query, command } = inProducts;

export const list = query('GET /api/product/category', {
  summary: 'List product categories',
  access: can('category.view'),
  query: CategoryFilter,
  reply: page(Category),
  handle: ({ db, query }) => paginate(db, query, { table: 'categories' }),
});

export const create = command('POST /api/product/category/create', {
  summary: 'Create a product category',
  description: 'A name is taken once under a parent. A parent is of the same kind.',
  access: can('category.create'),
  body: CategoryInput,
  reply: created(Category),
  handle: ({ db, body }) => createCategory(db, body),
});

export const update = command('POST /api/product/category/update/{id}', {
  summary: 'Update a product category',
  description: 'Its name, its colour or its place in the tree. Its kind stays.',
  access: can('category.update'),
  params: { id: idOf('categories') },
  body: CategoryChanges,
  reply: ok(Category),
  handle: ({ db, params, body, expect }) => changeCategory(db, params.id, body, expect),
});

export const remove = command('DELETE /api/product/category/delete/{id}', {
  summary: 'Delete a product category',
  description: 'Only a category without products and without subcategories.',
  access: can('category.delete'),
  params: { id: idOf('categories') },
  reply: removed,
  handle: ({ db, params }) => removeCategory(db, params.id),
});
