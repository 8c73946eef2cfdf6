/** Time entries of projects, for timesheets, reports and invoices. */
import { Day, idOf, LongText, refTo } from '@suite/chassis/fields';
import { ok, page, removed, anyStaff, fileOf, withTrackers } from '@suite/chassis/operations';
import { ProjectArchived, ProjectClosed, WrongProjectRole } from '../../work/access/project.rules.ts';
import { inTime } from '../../operations.ts';
import { PeriodLocked } from '../time-settings/period.rules.ts';
import { changeTime, removeTime } from './time-entry-change.ts';
import { exportTime } from './time-entry-export.ts';
import { EntryInvoiced, TimeInFuture, TimeOverlaps } from './time-entry.rules.ts';
import { TimeChanges, TimeEntry, TimeEntryFilter } from './time-entry.schema.ts';
import { listTime } from './time-entry.view.ts';

const ADDITION = 'Tracked time must be read, corrected and exported: the specification only starts and stops it.';

const { query, command } = inTime;

export const list = query('GET /api/time-entries', {
  summary: 'List time entries',
  description:
    'Returns your own time entries and all time entries of projects that you manage. `time.view_all` includes all users.',
  addition: ADDITION,
  access: withTrackers(anyStaff),
  query: TimeEntryFilter,
  reply: page(TimeEntry),
  handle: ({ db, caller, query }) => listTime(db, caller, query),
});

export const exportAll = query('GET /api/time-entries/export', {
  summary: 'Export time entries as CSV',
  description:
    'Returns the time entries of a period as a UTF-8 CSV file. Returns an error for more than 10,000 rows: choose a shorter period. Escapes text that spreadsheets would run as a formula.',
  addition: ADDITION,
  access: withTrackers(anyStaff),
  query: { from: Day, to: Day, user_id: refTo('users').optional(), project_id: refTo('projects').optional() },
  reply: fileOf('text/csv'),
  handle: ({ db, caller, query }) => exportTime(db, caller, query),
});

export const update = command('POST /api/time-entry/update/{id}', {
  summary: 'Correct a time entry',
  description:
    'Corrects an entry before its submission. Correcting a rejected entry reopens it. `hourly_rate` requires `time.approve`, for your own entries and for entries of other users.',
  addition: ADDITION,
  access: withTrackers(anyStaff),
  params: { id: idOf('time_entries') },
  body: TimeChanges,
  reply: ok(TimeEntry),
  faults: [WrongProjectRole, ProjectArchived, ProjectClosed, PeriodLocked, EntryInvoiced, TimeInFuture, TimeOverlaps],
  handle: ({ params, body, expect, ...context }) => changeTime(context, params.id, body, expect),
});

export const remove = command('DELETE /api/time-entry/delete/{id}', {
  summary: 'Delete a time entry',
  description:
    'Deletes an open entry. Returns `entry_invoiced` for invoiced time and `period_locked` for a locked period. Send a `reason` to delete late time. The history records the deletion.',
  addition: ADDITION,
  access: withTrackers(anyStaff),
  params: { id: idOf('time_entries') },
  query: {
    reason: LongText.min(1)
      .max(500)
      .optional()
      .describe('Reason for deleting time of a locked period. Requires `time.approve`.'),
  },
  reply: removed,
  faults: [ProjectArchived, PeriodLocked, EntryInvoiced],
  handle: ({ params, query, ...context }) => removeTime(context, params.id, query.reason),
});
