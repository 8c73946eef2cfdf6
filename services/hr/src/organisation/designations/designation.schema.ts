import { Id, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { designationActions } from './designation.rules.ts';

/** Job title in a department. */
export const Designation = record({
  name: z.string(),
  department_id: Id,
  active: z.boolean().describe('Whether the designation can be selected for employees.'),
  employee_count: z.int().describe('Number of employees with the designation that the caller can see.'),
  allowed_actions: Actions(designationActions),
}).meta({ id: 'Designation' });

export const DesignationFilter = list(Designation, {
  filter: ['name', 'department_id', 'active', 'created_at', 'updated_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const DesignationInput = input({
  name: Name,
  department_id: refTo('departments'),
  active: z.boolean().default(true),
});

export const DesignationChanges = input({
  name: Name.optional(),
  active: z.boolean().optional(),
  version,
});

export type DesignationInput = z.output<typeof DesignationInput>;
export type DesignationChanges = z.output<typeof DesignationChanges>;
