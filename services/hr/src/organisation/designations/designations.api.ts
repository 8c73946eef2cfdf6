/** Designations are job titles within a department. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeDesignation, createDesignation, listDesignations, removeDesignation } from './designation.ts';
import { Designation, DesignationChanges, DesignationFilter, DesignationInput } from './designation.schema.ts';
import { designationActions } from './designation.rules.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/designations', {
  summary: 'List designations',
  description:
    'Returns designations with their department. Filter by `department_id` to offer designations for an employee.',
  access: can('designation.view'),
  query: DesignationFilter,
  reply: page(Designation),
  handle: ({ db, query }) => listDesignations(db, query),
});

export const create = command('POST /api/designation/create', {
  summary: 'Create a designation',
  description: 'Creates a designation in a department. Names are unique within the department.',
  addition: ADDITION,
  access: can('designation.create'),
  body: DesignationInput,
  reply: created(Designation),
  handle: ({ db, body }) => createDesignation(db, body),
});

export const update = command('POST /api/designation/update/{id}', {
  summary: 'Update a designation',
  description:
    'Updates name and status of a designation. Its department cannot change, because employees with the designation work there.',
  addition: ADDITION,
  access: designationActions.can('update'),
  params: { id: idOf('designations') },
  body: DesignationChanges,
  reply: ok(Designation),
  handle: ({ db, params, body, expect }) => changeDesignation(db, params.id, body, expect),
});

export const remove = command('DELETE /api/designation/delete/{id}', {
  summary: 'Delete a designation',
  description:
    'Deletes a designation. Returns 409 `in_use` if employees or other records refer to it. Deactivate it instead.',
  addition: ADDITION,
  access: designationActions.can('delete'),
  params: { id: idOf('designations') },
  reply: removed,
  handle: ({ db, params }) => removeDesignation(db, params.id),
});
