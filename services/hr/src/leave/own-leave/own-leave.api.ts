/** Your own leave: types, balances and requests. */
import { DryRun, Id } from '@suite/chassis/fields';
import { created, ok, page } from '@suite/chassis/operations';
import { z } from 'zod';
import {
  grantFaults,
  HalfDayNeedsOneDay,
  LeaveHasBegun,
  NoWorkingDay,
} from '../leave-applications/leave-application.rules.ts';
import {
  attachment,
  LeaveApplication,
  CreatedLeave,
  OwnLeaveChanges,
  OwnLeaveFilter,
  OwnLeaveInput,
} from '../leave-applications/leave-application.schema.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { requestOwnLeave, cancelOwnLeave, changeOwnLeave, listOwnLeave } from './own-leave.ts';
import { OwnLeaveType, OwnLeaveTypesQuery } from './own-leave.schema.ts';
import { ownLeaveTypes } from './own-leave-types.ts';

const ADDITION = 'Employees can change their requests: the specification only lets them create requests.';

// The caller must be an employee. Only then is the owner of the request checked.
const params = { leaveapplication_id: Id };
const faults = [NotAnEmployee, HalfDayNeedsOneDay, NoWorkingDay, ...grantFaults];

export const list = query('GET /api/hrm/get-leaves', {
  summary: 'List your leave requests',
  description:
    'Returns your own leave requests with their status and attachments. Returns `not_an_employee` if your user is not linked to an employee.',
  access: employeesOnly,
  query: OwnLeaveFilter,
  reply: page(LeaveApplication),
  faults: [NotAnEmployee],
  handle: ({ query: request, ...context }) => listOwnLeave(context, request),
});

export const types = query('GET /api/hrm/get-leaves-types', {
  summary: 'List your leave types and balances',
  description:
    'Returns the leave types that you may request, with your balance on `as_of`. `as_of` defaults to today and is at most two years away.',
  access: employeesOnly,
  query: OwnLeaveTypesQuery,
  reply: ok(z.array(OwnLeaveType)),
  faults: [NotAnEmployee],
  handle: ({ db, caller, query: { as_of } }) => ownLeaveTypes(db, caller, as_of),
});

export const create = command('POST /api/hrm/leave-request', {
  summary: 'Create a leave request',
  description:
    'Creates your own leave request and notifies the approvers. Accepts JSON, or a form with a document in `attachment`. Rejects days that cannot be granted, with the first reason found, such as `insufficient_balance` or `overlap`.',
  access: employeesOnly,
  query: { dry_run: DryRun },
  body: OwnLeaveInput,
  upload: attachment,
  reply: created(CreatedLeave),
  faults,
  handle: ({ body, files, ...context }) => requestOwnLeave(context, body, files),
});

export const update = command('POST /api/hrm/leave-update/{leaveapplication_id}', {
  summary: 'Update your leave request',
  description:
    'Updates your pending leave request and checks it again. Returns 409 `invalid_transition` once it has been decided.',
  addition: ADDITION,
  access: employeesOnly,
  params,
  body: OwnLeaveChanges,
  upload: attachment,
  reply: ok(CreatedLeave),
  faults,
  handle: ({ params: { leaveapplication_id: id }, body, files, expect, ...context }) =>
    changeOwnLeave(context, { id, body, files, expect }),
});

export const cancel = command('POST /api/hrm/leave-cancel/{leaveapplication_id}', {
  summary: 'Cancel your leave request',
  description:
    'Cancels your request, even if approved, until the day before it begins. Returns the days to your balance. Returns `leave_has_begun` afterwards. Repeating the request changes nothing.',
  addition: ADDITION,
  access: employeesOnly,
  params,
  reply: ok(LeaveApplication),
  faults: [NotAnEmployee, LeaveHasBegun],
  handle: ({ params: { leaveapplication_id: id }, expect, ...context }) => cancelOwnLeave(context, id, expect),
});
