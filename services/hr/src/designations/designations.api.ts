/** Designations: what people are, each in a department. */
import { can, created, idOf, ok, page, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { changeDesignation, createDesignation, listDesignations, removeDesignation } from './designation.ts';
import { Designation, DesignationChanges, DesignationFilter, DesignationInput } from './designation.schema.ts';

export const list = query('GET /api/designations', {
  summary: 'List designations',
  access: can('designation.view'),
  query: DesignationFilter,
  reply: page(Designation),
  handle: ({ db, query }) => listDesignations(db, query),
});

export const create = command('POST /api/designation/create', {
  summary: 'Create a designation',
  description: 'A name is taken once in each department.',
  access: can('designation.create'),
  body: DesignationInput,
  reply: created(Designation),
  handle: ({ db, body }) => createDesignation(db, body),
});

export const update = command('POST /api/designation/update/{id}', {
  summary: 'Update a designation',
  access: can('designation.update'),
  params: { id: idOf('designations') },
  body: DesignationChanges,
  reply: ok(Designation),
  handle: ({ db, params, body, expect }) => changeDesignation(db, params.id, body, expect),
});

export const remove = command('DELETE /api/designation/delete/{id}', {
  summary: 'Delete a designation',
  description: 'One that is in use stays; it can be made inactive.',
  access: can('designation.delete'),
  params: { id: idOf('designations') },
  reply: removed,
  handle: ({ db, params }) => removeDesignation(db, params.id),
});
