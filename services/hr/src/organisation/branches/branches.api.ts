/** Branches are places of work. Departments, holiday calendars and employees belong to a branch. */
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeBranch, createBranch, listBranches, removeBranch } from './branch.ts';
import { Branch, BranchChanges, BranchFilter, BranchInput } from './branch.schema.ts';
import { branchActions } from './branch.rules.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/branches', {
  summary: 'List branches',
  description:
    'Returns the branches of the workspace, active and inactive. Filter by `active` to offer branches for new employees.',
  access: can('branch.view'),
  query: BranchFilter,
  reply: page(Branch),
  handle: ({ db, query }) => listBranches(db, query),
});

export const create = command('POST /api/branch/create', {
  summary: 'Create a branch',
  description: 'Creates a branch. Branch names are unique.',
  addition: ADDITION,
  access: can('branch.create'),
  body: BranchInput,
  reply: created(Branch),
  handle: ({ db, body }) => createBranch(db, body),
});

export const update = command('POST /api/branch/update/{id}', {
  summary: 'Update a branch',
  description:
    'Updates a branch. Set `active` to `false` to exclude it from new records. Existing records keep an inactive branch.',
  addition: ADDITION,
  access: branchActions.can('update'),
  params: { id: idOf('branches') },
  body: BranchChanges,
  reply: ok(Branch),
  handle: ({ db, params, body, expect }) => changeBranch(db, params.id, body, expect),
});

export const remove = command('DELETE /api/branch/delete/{id}', {
  summary: 'Delete a branch',
  description:
    'Deletes a branch. Returns 409 `in_use` if departments, employees or other records refer to it. Deactivate it instead.',
  addition: ADDITION,
  access: branchActions.can('delete'),
  params: { id: idOf('branches') },
  reply: removed,
  handle: ({ db, params }) => removeBranch(db, params.id),
});
