/** Timesheets: the time of a user in a week, submitted by the user and approved by a manager. */
import { ok, page, anyStaff, withTrackers } from '@suite/chassis/operations';
import { inTime } from '../../operations.ts';
import { EntryInvoiced, timeStates } from '../time/time-entry.rules.ts';
import {
  approveTime,
  ApproverIsAuthor,
  BeingInvoiced,
  rejectTime,
  reopenTime,
  submitTime,
  TooManyEntries,
} from './timesheet.ts';
import { Approval, Moved, Rejection, Reopening, Submission, Timesheet, TimesheetFilter } from './timesheet.schema.ts';
import { listTimesheets } from './timesheet.view.ts';

const ADDITION =
  'Another user approves time before it is paid or billed, and the specification has no operation that approves time.';

const { query, command } = inTime;

export const list = query('GET /api/timesheets', {
  summary: 'List timesheets',
  description: 'Returns one row per user and week with the time that you may see, by status.',
  addition: ADDITION,
  access: withTrackers(anyStaff),
  query: TimesheetFilter,
  reply: page(Timesheet),
  handle: ({ db, caller, query }) => listTimesheets(db, caller, query),
});

export const submit = command('POST /api/timesheet/submit', {
  summary: 'Submit your time entries',
  description:
    'Submits all stopped and rejected entries of the period. Submitted entries cannot change until they are rejected or reopened.',
  addition: ADDITION,
  access: withTrackers(anyStaff),
  body: Submission,
  reply: ok(Moved),
  faults: [TooManyEntries],
  handle: ({ body, ...context }) => submitTime(context, body),
});

export const approve = command('POST /api/timesheet/approve', {
  summary: 'Approve time entries',
  description:
    'Approves submitted entries, all or none. Returns `four_eyes` for your own time, unless the time settings allow it.',
  addition: ADDITION,
  access: timeStates.can('approve'),
  body: Approval,
  reply: ok(Moved),
  faults: [ApproverIsAuthor, TooManyEntries, EntryInvoiced],
  handle: ({ body, ...context }) => approveTime(context, body),
});

export const reject = command('POST /api/timesheet/reject', {
  summary: 'Reject time entries',
  description: 'Rejects submitted entries with a reason. The user can correct and submit them again.',
  addition: ADDITION,
  access: timeStates.can('reject'),
  body: Rejection,
  reply: ok(Moved),
  faults: [TooManyEntries, EntryInvoiced],
  handle: ({ body, ...context }) => rejectTime(context, body),
});

export const reopen = command('POST /api/timesheet/reopen', {
  summary: 'Reopen time entries',
  description:
    'Reopens submitted or approved entries for changes. Returns `entry_invoiced` or `being_invoiced` for invoiced time.',
  addition: ADDITION,
  access: timeStates.can('reopen'),
  body: Reopening,
  reply: ok(Moved),
  faults: [EntryInvoiced, BeingInvoiced],
  handle: ({ body, ...context }) => reopenTime(context, body),
});
