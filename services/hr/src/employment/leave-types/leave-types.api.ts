/** Leave types define how days are granted, carried over and approved. */
import { InUse } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { command, query } from '../../operations.ts';
import { changeLeaveType, createLeaveType, listLeaveTypes, removeLeaveType } from './leave-type.ts';
import { LeaveType, LeaveTypeChanges, LeaveTypeFilter, LeaveTypeInput } from './leave-type.schema.ts';
import { leaveTypeActions } from './leave-type.rules.ts';

const ADDITION =
  'The specification only reads employment and working-time data: without these, a company could not set up its own.';

export const list = query('GET /api/leave-types', {
  summary: 'List leave types',
  description: 'Returns leave types with their rules for granting, carry-over and approval. Includes inactive types.',
  access: can('leave_type.view'),
  query: LeaveTypeFilter,
  reply: page(LeaveType),
  handle: ({ db, query }) => listLeaveTypes(db, query),
});

export const create = command('POST /api/leave-type/create', {
  summary: 'Create a leave type',
  description:
    'Creates a leave type. Names and codes are unique. Days are granted from the joining date, but not for years before the employee was entered. Add earlier balances with `POST /api/leave-balance/adjust`.',
  addition: ADDITION,
  access: can('leave_type.create'),
  body: LeaveTypeInput,
  reply: created(LeaveType),
  handle: ({ db, body }) => createLeaveType(db, body),
});

export const update = command('POST /api/leave-type/update/{id}', {
  summary: 'Update a leave type',
  description:
    'Updates a leave type for future grants and requests. Returns 409 `in_use` if you change `paid` after the first request.',
  addition: ADDITION,
  access: leaveTypeActions.can('update'),
  params: { id: idOf('leave_types') },
  body: LeaveTypeChanges,
  reply: ok(LeaveType),
  faults: [InUse],
  handle: ({ db, params, body, expect }) => changeLeaveType(db, params.id, body, expect),
});

export const remove = command('DELETE /api/leave-type/delete/{id}', {
  summary: 'Delete a leave type',
  description: 'Deletes a leave type. Returns 409 `in_use` if days were granted or requested. Deactivate it instead.',
  addition: ADDITION,
  access: leaveTypeActions.can('delete'),
  params: { id: idOf('leave_types') },
  reply: removed,
  handle: ({ db, params }) => removeLeaveType(db, params.id),
});
