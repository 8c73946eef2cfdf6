import { Id, input, Name, record, refTo, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { EmployeeLabel } from '../employees/employee.schema.ts';
import { departmentActions } from './department.rules.ts';

const Head = refTo('employees').describe('ID of the head of the department: an employee who has not left.');

/** Department of the workspace. */
export const Department = record({
  name: z.string(),
  branch_id: Id,
  parent_id: Id.nullable().describe('ID of the parent department.'),
  head_id: refTo('employees')
    .nullable()
    .describe('ID of the head of the department, who approves leave of employees without a manager. `null` for none.'),
  head: EmployeeLabel.nullable().optional(),
  active: z.boolean().describe('Whether the department can be selected for employees.'),
  employee_count: z.int().describe('Number of employees of the department that the caller can see.'),
  allowed_actions: Actions(departmentActions),
}).meta({ id: 'Department' });

export const DepartmentFilter = list(Department, {
  expand: ['head'],
  filter: ['name', 'branch_id', 'parent_id', 'head_id', 'active', 'created_at', 'updated_at'],
  sort: ['name', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const DepartmentInput = input({
  name: Name,
  branch_id: refTo('branches'),
  parent_id: refTo('departments').nullish(),
  head_id: Head.nullish(),
  active: z.boolean().default(true),
});

export const DepartmentChanges = input({
  name: Name.optional(),
  branch_id: refTo('branches').optional(),
  parent_id: refTo('departments').nullish(),
  head_id: Head.nullish(),
  active: z.boolean().optional(),
  version,
});

export type DepartmentInput = z.output<typeof DepartmentInput>;
export type DepartmentChanges = z.output<typeof DepartmentChanges>;
