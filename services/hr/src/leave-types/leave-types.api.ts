/** Types of leave: what people may take off, how days of it are granted, and on which terms. */
import { can, created, idOf, InUse, ok, page, removed } from '@suite/chassis';
import { command, query } from '../operations.ts';
import { changeLeaveType, createLeaveType, listLeaveTypes, removeLeaveType } from './leave-type.ts';
import { LeaveType, LeaveTypeChanges, LeaveTypeFilter, LeaveTypeInput } from './leave-type.schema.ts';

export const list = query('GET /api/leave-types', {
  summary: 'List leave types',
  access: can('leave_type.view'),
  query: LeaveTypeFilter,
  reply: page(LeaveType),
  handle: ({ db, query }) => listLeaveTypes(db, query),
});

export const create = command('POST /api/leave-type/create', {
  summary: 'Create a leave type',
  description:
    'A name is taken once, and so is a code. Days are granted since somebody joined, but for no year before that in which the type and the employment were entered here: what was granted and taken elsewhere comes by `leave-balance/adjust`.',
  access: can('leave_type.create'),
  body: LeaveTypeInput,
  reply: created(LeaveType),
  handle: ({ db, body }) => createLeaveType(db, body),
});

export const update = command('POST /api/leave-type/update/{id}', {
  summary: 'Update a leave type',
  description: 'For what is granted and asked for from now on. One that was asked for stays paid or unpaid.',
  access: can('leave_type.update'),
  params: { id: idOf('leave_types') },
  body: LeaveTypeChanges,
  reply: ok(LeaveType),
  faults: [InUse],
  handle: ({ db, params, body, expect }) => changeLeaveType(db, params.id, body, expect),
});

export const remove = command('DELETE /api/leave-type/delete/{id}', {
  summary: 'Delete a leave type',
  description: 'One of which days were granted or asked for stays; it can be made inactive.',
  access: can('leave_type.delete'),
  params: { id: idOf('leave_types') },
  reply: removed,
  handle: ({ db, params }) => removeLeaveType(db, params.id),
});
