/** Categories of products, income and expenses, as a tree. */
import { idOf } from '@suite/chassis/fields';
import { paginate } from '@suite/chassis/lists';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { inProducts } from '../operations.ts';
import { changeCategory, createCategory, removeCategory } from './category.ts';
import { Category, CategoryChanges, CategoryFilter, CategoryInput } from './category.schema.ts';
import { categoryActions } from './catalogue.rules.ts';

const { query, command } = inProducts;

export const list = query('GET /api/product/category', {
  summary: 'List product categories',
  description: 'Returns product categories as a flat list. Use `parent_id` to build the tree.',
  access: can('category.view'),
  query: CategoryFilter,
  reply: page(Category),
  handle: ({ db, query }) => paginate(db, query, { table: 'categories' }),
});

export const create = command('POST /api/product/category/create', {
  summary: 'Create a product category',
  description:
    'Creates a category, at the top level or below a parent of the same kind. Names are unique below a parent.',
  access: can('category.create'),
  body: CategoryInput,
  reply: created(Category),
  handle: ({ db, body }) => createCategory(db, body),
});

export const update = command('POST /api/product/category/update/{id}', {
  summary: 'Update a product category',
  description: 'Renames, recolours or moves a category. Its kind cannot change.',
  access: categoryActions.can('update'),
  params: { id: idOf('categories') },
  body: CategoryChanges,
  reply: ok(Category),
  handle: ({ db, params, body, expect }) => changeCategory(db, params.id, body, expect),
});

export const remove = command('DELETE /api/product/category/delete/{id}', {
  summary: 'Delete a product category',
  description: 'Deletes a category. Returns 409 `in_use` if it has products or subcategories. Move them first.',
  access: categoryActions.can('delete'),
  params: { id: idOf('categories') },
  reply: removed,
  handle: ({ db, params }) => removeCategory(db, params.id),
});
