/** Departments: the parts of a company, each in a branch and perhaps within another one. */
import { can, created, idOf, ok, page, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import {
  changeDepartment,
  createDepartment,
  DepartmentCircle,
  listDepartments,
  removeDepartment,
} from './department.ts';
import { Department, DepartmentChanges, DepartmentFilter, DepartmentInput } from './department.schema.ts';

export const list = query('GET /api/departments', {
  summary: 'List departments',
  access: can('department.view'),
  query: DepartmentFilter,
  reply: page(Department),
  handle: ({ db, query }) => listDepartments(db, query),
});

export const create = command('POST /api/department/create', {
  summary: 'Create a department',
  description: 'A name is taken once beside others in the same place.',
  access: can('department.create'),
  body: DepartmentInput,
  reply: created(Department),
  handle: ({ body, ...work }) => createDepartment(work, body),
});

export const update = command('POST /api/department/update/{id}', {
  summary: 'Update a department',
  access: can('department.update'),
  params: { id: idOf('departments') },
  body: DepartmentChanges,
  reply: ok(Department),
  faults: [DepartmentCircle],
  handle: ({ params, body, expect, ...work }) => changeDepartment(work, params.id, body, expect),
});

export const remove = command('DELETE /api/department/delete/{id}', {
  summary: 'Delete a department',
  description: 'One that is in use stays; it can be made inactive.',
  access: can('department.delete'),
  params: { id: idOf('departments') },
  reply: removed,
  handle: ({ db, params }) => removeDepartment(db, params.id),
});
