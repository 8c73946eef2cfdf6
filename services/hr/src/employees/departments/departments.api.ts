/** Departments of a branch, as a tree. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import {
  changeDepartment,
  createDepartment,
  DepartmentCircle,
  listDepartments,
  removeDepartment,
} from './department.ts';
import { Department, DepartmentChanges, DepartmentFilter, DepartmentInput } from './department.schema.ts';
import { departmentActions } from './department.rules.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/departments', {
  summary: 'List departments',
  description:
    'Returns departments with their branch, parent and head. Use `parent_id` to build the organisation chart.',
  access: can('department.view'),
  query: DepartmentFilter,
  reply: page(Department),
  handle: ({ db, query }) => listDepartments(db, query),
});

export const create = command('POST /api/department/create', {
  summary: 'Create a department',
  description: 'Creates a department. Names are unique within the parent department and branch.',
  addition: ADDITION,
  access: can('department.create'),
  body: DepartmentInput,
  reply: created(Department),
  handle: ({ body, ...context }) => createDepartment(context, body),
});

export const update = command('POST /api/department/update/{id}', {
  summary: 'Update a department',
  description:
    'Updates or moves a department. The head must be employed. Returns `department_circle` if the new parent is the department itself or below it.',
  addition: ADDITION,
  access: departmentActions.can('update'),
  params: { id: idOf('departments') },
  body: DepartmentChanges,
  reply: ok(Department),
  faults: [DepartmentCircle],
  handle: ({ params, body, expect, ...context }) => changeDepartment(context, params.id, body, expect),
});

export const remove = command('DELETE /api/department/delete/{id}', {
  summary: 'Delete a department',
  description:
    'Deletes a department. Returns 409 `in_use` if other departments, employees or other records refer to it. Deactivate it instead.',
  addition: ADDITION,
  access: departmentActions.can('delete'),
  params: { id: idOf('departments') },
  reply: removed,
  handle: ({ db, params }) => removeDepartment(db, params.id),
});
