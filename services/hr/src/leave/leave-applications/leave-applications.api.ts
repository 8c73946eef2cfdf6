/** Leave requests of employees. Each day is counted by the rules of that day. */
import { idOf } from '@suite/chassis/fields';
import { LinkExpired, sendLinked } from '@suite/chassis/files';
import { can, created, ok, openByFileLink, page, removed, anyFile } from '@suite/chassis/operations';
import { fileLinkHolder } from '@suite/user-copies';
import { z } from 'zod';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { soleApproverFor } from '../../employment/employment/own-record.ts';
import { command, query } from '../../operations.ts';
import { requestForOther, changeForOther, removeLeave } from './leave-application.ts';
import { grantFaults, HalfDayNeedsOneDay, leaveStates, NoWorkingDay } from './leave-application.rules.ts';
import {
  attachment,
  LeaveDryRun,
  LeaveApplication,
  LeaveApplicationChanges,
  LeaveApplicationFilter,
  LeaveApplicationInput,
  CreatedLeave,
} from './leave-application.schema.ts';
import { LEAVE_ATTACHMENTS, personalFile } from '../../employment/employment/personal-file.ts';
import { listLeave } from './leave-application.view.ts';

const params = { leaveapplication_id: idOf('leave_applications') };
const faults = [HalfDayNeedsOneDay, NoWorkingDay, OwnRecord, ...grantFaults];

export const list = query('GET /api/leave-applications', {
  summary: 'List leave requests',
  description:
    'Returns the leave requests that you may see. `department_id` selects employees who work in the department today.',
  access: can('leave.view'),
  query: LeaveApplicationFilter,
  reply: page(LeaveApplication),
  handle: ({ query: request, ...context }) => listLeave(context, request),
});

export const create = command('POST /api/leave-application/create', {
  summary: 'Create a leave request for an employee',
  description:
    'Creates a pending leave request for another employee. Accepts JSON, or a form with a document in `attachment`. Rejects days that cannot be granted, with the first reason found, such as `insufficient_balance` or `overlap`.',
  access: can('leave.create'),
  query: LeaveDryRun,
  body: LeaveApplicationInput,
  upload: attachment,
  reply: created(CreatedLeave),
  faults,
  prepare: soleApproverFor('leave.create'),
  handle: ({ body, files, ...context }) => requestForOther(context, body, files),
});

export const update = command('POST /api/leave-application/update/{leaveapplication_id}', {
  summary: 'Update a leave request',
  description:
    'Updates a pending leave request and checks it again. A change resets a first approval: both approvals are needed again. Returns `own_record` for your own request.',
  access: leaveStates.can('update'),
  params,
  body: LeaveApplicationChanges,
  upload: attachment,
  reply: ok(CreatedLeave),
  faults,
  prepare: soleApproverFor('leave.update'),
  handle: ({ params: { leaveapplication_id: id }, body, files, expect, ...context }) =>
    changeForOther(context, { id, body, files, expect }),
});

export const remove = command('DELETE /api/leave-application/delete/{leaveapplication_id}', {
  summary: 'Delete a leave request',
  description:
    'Deletes a pending leave request. Returns 409 `invalid_transition` once it has been decided. Returns `own_record` for your own request.',
  access: leaveStates.can('delete'),
  params,
  reply: removed,
  faults: [OwnRecord],
  prepare: soleApproverFor('leave.delete'),
  handle: ({ params: { leaveapplication_id: id }, ...context }) => removeLeave(context, id),
});

export const download = query('GET /api/leave-application/file/{token}', {
  summary: 'Download the attachment of a leave request',
  description:
    'Returns the file that `url` of the document links to. The URL needs no token. It expires after one to three hours, or when the user who requested it loses access.',
  addition: 'Target of signed document links: a link needs no token and expires after 15 minutes.',
  access: openByFileLink(fileLinkHolder),
  params: { token: z.string().max(2_000) },
  reply: anyFile,
  faults: [LinkExpired],
  handle: ({ db, ...given }) => sendLinked(given, (key) => personalFile(db, given.caller, key, LEAVE_ATTACHMENTS)),
});
