/** Schemas of the activity lists of a lead or a deal. */
import { Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { Call } from '../calls/call.schema.ts';
import { Discussion } from '../discussions/discussion.schema.ts';
import { EmailMessage } from '../emails/email.schema.ts';
import { File } from '../files/file.schema.ts';
import { Task } from '../tasks/task.schema.ts';
import { Activity, StageChange } from './activity.schema.ts';

// Time of the event as `updated_at`: a past event never changes.
const happened = { updated_at: Timestamp };
const Change = StageChange.extend(happened).meta({ id: 'StageChangeEntry' });
const Entry = Activity.extend(happened).meta({ id: 'ActivityEntry' });
const stamps = ['created_by', 'created_at', 'updated_at'] as const;

/** Filters and sort fields of each part. */
export const parts = {
  tasks: {
    Row: Task,
    Filter: list(Task, {
      filter: ['name', 'status', 'priority', 'date', 'assignee_id', 'done_at', ...stamps],
      sort: ['created_at', 'updated_at', 'date', 'name'],
      search: true,
    }),
  },
  calls: {
    Row: Call,
    Filter: list(Call, {
      filter: ['subject', 'type', 'at', 'duration_seconds', 'assignee_id', ...stamps],
      sort: ['at', 'created_at', 'updated_at', 'duration_seconds'],
      order: '-at',
    }),
  },
  discussions: { Row: Discussion, Filter: list(Discussion, { filter: stamps, sort: ['created_at', 'updated_at'] }) },
  emails: {
    Row: EmailMessage,
    Filter: list(EmailMessage, {
      filter: ['subject', 'delivery', 'sent_at', ...stamps],
      sort: ['created_at', 'updated_at', 'sent_at', 'subject'],
    }),
  },
  files: {
    Row: File,
    Filter: list(File, {
      filter: ['name', 'size', 'mime', ...stamps],
      sort: ['created_at', 'updated_at', 'name', 'size'],
      search: true,
    }),
  },
  stage_history: {
    Row: Change,
    Filter: list(Change, { filter: ['from_stage_id', 'to_stage_id', 'by', 'at'], sort: ['at'], order: '-at' }),
  },
  timeline: { Row: Entry, Filter: list(Entry, { filter: ['type', 'at'], sort: ['at'], order: '-at' }) },
};

export type PartName = keyof typeof parts;

const total = z.int();

/** Number of entries in each part. */
export const Totals = z
  .object({
    tasks: total,
    calls: total,
    discussions: total,
    emails: total,
    files: total,
    stage_history: total,
    timeline: total,
  })
  .meta({ id: 'CrmRecordTotals' });
