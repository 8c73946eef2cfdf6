import { input, Name, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { branchActions } from './branch.rules.ts';

/** Branch: a work location. */
export const Branch = record({
  name: z.string(),
  active: z.boolean().describe('Whether the branch can be selected for employees.'),
  employee_count: z.int().describe('Number of employees of the branch that the caller can see.'),
  allowed_actions: Actions(branchActions),
}).meta({ id: 'Branch' });

export const BranchFilter = list(Branch, {
  filter: ['name', 'active', 'created_at', 'updated_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const BranchInput = input({ name: Name, active: z.boolean().default(true) });

export const BranchChanges = input({ name: Name.optional(), active: z.boolean().optional(), version });

export type BranchInput = z.output<typeof BranchInput>;
export type BranchChanges = z.output<typeof BranchChanges>;
