import { Id, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { categoryActions } from './category.rules.ts';

const fieldsOf = (kind: 'revenue' | 'expense') => ({
  name: z.string(),
  gl_account_id: Id.describe('ID of the ledger account that the category is posted to.'),
  active: z.boolean(),
  gl_account: z.object({ id: Id, code: z.string(), name: z.string() }).optional(),
  allowed_actions: Actions(categoryActions[kind]),
});

export const RevenueCategory = record(fieldsOf('revenue')).meta({ id: 'RevenueCategory' });
export const ExpenseCategory = record(fieldsOf('expense')).meta({ id: 'ExpenseCategory' });

const grammar = {
  filter: ['name', 'gl_account_id', 'active', 'created_at', 'updated_at'] as 'name'[],
  sort: ['created_at', 'updated_at', 'name'] as 'name'[],
  search: true,
  expand: ['gl_account'] as 'gl_account'[],
};
export const CategoryFilters = {
  revenue: list(RevenueCategory, grammar),
  expense: list(ExpenseCategory, grammar),
};

export const CategoryInput = input({ name: Name, gl_account_id: refTo('gl_accounts') });

export const CategoryChanges = input({
  name: Name.optional(),
  gl_account_id: refTo('gl_accounts').optional(),
  active: z.boolean().optional().describe('`false` archives the category.'),
  version,
});
