/** Branches: the places where people work. Departments, calendars of holidays and employees belong to one. */
import { can, created, idOf, ok, page, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { changeBranch, createBranch, listBranches, removeBranch } from './branch.ts';
import { Branch, BranchChanges, BranchFilter, BranchInput } from './branch.schema.ts';

export const list = query('GET /api/branches', {
  summary: 'List branches',
  access: can('branch.view'),
  query: BranchFilter,
  reply: page(Branch),
  handle: ({ db, query }) => listBranches(db, query),
});

export const create = command('POST /api/branch/create', {
  summary: 'Create a branch',
  description: 'A name is taken once.',
  access: can('branch.create'),
  body: BranchInput,
  reply: created(Branch),
  handle: ({ db, body }) => createBranch(db, body),
});

export const update = command('POST /api/branch/update/{id}', {
  summary: 'Update a branch',
  access: can('branch.update'),
  params: { id: idOf('branches') },
  body: BranchChanges,
  reply: ok(Branch),
  handle: ({ db, params, body, expect }) => changeBranch(db, params.id, body, expect),
});

export const remove = command('DELETE /api/branch/delete/{id}', {
  summary: 'Delete a branch',
  description: 'One that is in use stays; it can be made inactive.',
  access: can('branch.delete'),
  params: { id: idOf('branches') },
  reply: removed,
  handle: ({ db, params }) => removeBranch(db, params.id),
});
