/** Time entries: what people have worked on a project, for timesheets, reports and invoices. */
import { Day, idOf, LongText, ok, page, refTo, removed, signedInStaff, stream, trackersToo } from '@suite/chassis';
import { ProjectArchived, ProjectClosed, WrongProjectRole } from '../access/project.rules.ts';
import { inTime } from '../operations.ts';
import { PeriodLocked } from '../time-settings/period.rules.ts';
import { changeTime, removeTime } from './time-entry-change.ts';
import { exportTime } from './time-entry-export.ts';
import { EntryInvoiced, TimeInFuture, TimeOverlaps } from './time-entry.rules.ts';
import { TimeChanges, TimeEntry, TimeEntryFilter } from './time-entry.schema.ts';
import { listTime } from './time-entry.view.ts';

const { query, command } = inTime;

export const list = query('GET /api/time-entries', {
  summary: 'List time entries',
  description: 'Your own, that of projects you manage, and with `time.view_all` that of everybody.',
  access: trackersToo(signedInStaff),
  query: TimeEntryFilter,
  reply: page(TimeEntry),
  handle: ({ db, caller, query }) => listTime(db, caller, query),
});

export const exportAll = query('GET /api/time-entries/export', {
  summary: 'Export time entries as CSV',
  description:
    'The time of a span of days as UTF-8: all of it, or a refusal where that is more than 10 000 rows. No text is taken for a formula.',
  access: trackersToo(signedInStaff),
  query: { from: Day, to: Day, user_id: refTo('users').optional(), project_id: refTo('projects').optional() },
  reply: stream,
  handle: ({ db, caller, query }) => exportTime(db, caller, query),
});

export const update = command('POST /api/time-entry/update/{id}', {
  summary: 'Correct a time entry',
  description:
    'Until it is submitted. Rejected time is open again by it. The rate takes `time.approve`, also on time of others.',
  access: trackersToo(signedInStaff),
  params: { id: idOf('time_entries') },
  body: TimeChanges,
  reply: ok(TimeEntry),
  faults: [WrongProjectRole, ProjectArchived, ProjectClosed, PeriodLocked, EntryInvoiced, TimeInFuture, TimeOverlaps],
  handle: ({ params, body, expect, ...context }) => changeTime(context, params.id, body, expect),
});

export const remove = command('DELETE /api/time-entry/delete/{id}', {
  summary: 'Delete a time entry',
  access: trackersToo(signedInStaff),
  params: { id: idOf('time_entries') },
  query: { reason: LongText.min(1).max(500).optional().describe('For time of a closed period.') },
  reply: removed,
  faults: [ProjectArchived, PeriodLocked, EntryInvoiced],
  handle: ({ params, query, ...context }) => removeTime(context, params.id, query.reason),
});
