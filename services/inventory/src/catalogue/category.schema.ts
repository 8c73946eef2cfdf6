import { choice, Color, Id, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { categoryActions } from './catalogue.rules.ts';

const kind = choice('product', 'income', 'expense');

/** Category of products, income or expenses. */
export const Category = record({
  parent_id: Id.nullable(),
  name: z.string(),
  color: Color,
  kind,
  allowed_actions: Actions(categoryActions),
}).meta({ id: 'Category' });

/** Short form of a category, as in products. */
export const CategorySummary = z.object({ id: Id, name: z.string(), color: Color }).meta({ id: 'CategorySummary' });

export const CategoryFilter = list(Category, {
  filter: ['parent_id', 'name', 'kind', 'created_at', 'updated_at'],
  sort: ['created_at', 'updated_at', 'name'],
  search: true,
});

export const CategoryInput = input({
  parent_id: refTo('categories').nullable().default(null),
  name: Name,
  color: Color.default('#64748b'),
  kind: kind.default('product'),
});

export const CategoryChanges = input({
  parent_id: refTo('categories').nullable().optional(),
  name: Name.optional(),
  color: Color.optional(),
  version,
});
