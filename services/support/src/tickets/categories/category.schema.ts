import { Color, Id, foreignId, inner, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { Priority } from '../../sla/sla/sla-policy.schema.ts';
import { categoryActions } from './category.rules.ts';

/** Category: a subject of tickets, FAQs and articles. */
export const Category = record({
  name: z.string(),
  color: z.string(),
  default_assignee: inner(Id.nullable().describe('ID of the user to whom new tickets are assigned.')),
  priority: inner(Priority.nullable().describe('Priority of tickets without a priority from the requester.')),
  allowed_actions: Actions(categoryActions),
}).meta({ id: 'SupportCategory' });

export const CategoryFilter = list(Category, { filter: ['name'], sort: ['name', 'created_at'], search: true });

const fields = {
  name: Name,
  color: Color,
  default_assignee: foreignId('platform.user').nullish(),
  priority: Priority.nullish(),
};
export const CategoryInput = input(fields);
export const CategoryChanges = input({ ...fields, name: Name.optional(), color: Color.optional(), version });
export const CategoryRemoval = input({
  move_to: refTo('categories').optional().describe('ID of the category that receives the records of the deleted one.'),
});
