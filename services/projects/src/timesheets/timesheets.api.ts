/** Timesheets: the time of a person in a week, which they submit and somebody in charge approves. */
import { ok, page, signedInStaff, trackersToo } from '@suite/chassis';
import { inTime } from '../operations.ts';
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

const { query, command } = inTime;

export const list = query('GET /api/timesheets', {
  summary: 'List timesheets',
  description: 'A row for each person and week with time that you see.',
  access: trackersToo(signedInStaff),
  query: TimesheetFilter,
  reply: page(Timesheet),
  handle: ({ db, caller, query }) => listTimesheets(db, caller, query),
});

export const submit = command('POST /api/timesheet/submit', {
  summary: 'Submit your time entries',
  description: 'All that is stopped or was rejected in a span of days. It cannot be changed from then on.',
  access: trackersToo(signedInStaff),
  body: Submission,
  reply: ok(Moved),
  faults: [TooManyEntries],
  handle: ({ body, ...context }) => submitTime(context, body),
});

export const approve = command('POST /api/timesheet/approve', {
  summary: 'Approve time entries',
  description: 'Nobody approves their own, unless the settings of time say so. All entries of a call, or none.',
  access: timeStates.can('approve'),
  body: Approval,
  reply: ok(Moved),
  faults: [ApproverIsAuthor, TooManyEntries, EntryInvoiced],
  handle: ({ body, ...context }) => approveTime(context, body),
});

export const reject = command('POST /api/timesheet/reject', {
  summary: 'Reject time entries',
  description: 'It goes back to its person with the reason, who corrects and submits it again.',
  access: timeStates.can('reject'),
  body: Rejection,
  reply: ok(Moved),
  faults: [TooManyEntries, EntryInvoiced],
  handle: ({ body, ...context }) => rejectTime(context, body),
});

export const reopen = command('POST /api/timesheet/reopen', {
  summary: 'Reopen time entries',
  description: 'Submitted or approved time can be changed again. Invoiced time stays as it is.',
  access: timeStates.can('reopen'),
  body: Reopening,
  reply: ok(Moved),
  faults: [EntryInvoiced, BeingInvoiced],
  handle: ({ body, ...context }) => reopenTime(context, body),
});
