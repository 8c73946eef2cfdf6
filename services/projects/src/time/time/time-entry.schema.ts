import {
  choice,
  Day,
  Id,
  idOf,
  input,
  LongText,
  Money,
  MoneyOut,
  record,
  refTo,
  Timestamp,
  version,
  Zone,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';

const Break = z.object({ started_at: Timestamp, ended_at: Timestamp });

/** Time that a user spent on a project. */
export const TimeEntry = record({
  user_id: Id,
  project_id: Id,
  task_id: Id.nullable(),
  started_at: Timestamp,
  ended_at: Timestamp.nullable().describe('End of the time. `null` while the timer runs.'),
  timezone: z.string(),
  local_date: Day.describe("Day of the start, in the entry's time zone."),
  breaks: z.array(Break),
  idle_seconds: z.int(),
  idle_discarded: z.boolean(),
  duration_seconds: z
    .int()
    .nullable()
    .describe('Worked seconds, without breaks and discarded idle time. `null` while the timer is running.'),
  rounded_seconds: z.int().nullable().describe('Seconds rounded by the rule of the workspace, used for invoices.'),
  description: z.string().nullable(),
  billable: z.boolean(),
  hourly_rate: MoneyOut.nullable().describe('Hourly rate. `null` for time of other users without `time.view_all`.'),
  amount: MoneyOut.nullable(),
  currency: z.string(),
  source: choice('desktop', 'web', 'api'),
  status: choice('running', 'stopped', 'submitted', 'approved', 'rejected', 'invoiced'),
  auto_stopped: z.boolean().describe('Whether the timer was stopped automatically.'),
  skew_seconds: z.int().nullable().describe('Delay of the device clock in seconds.'),
  offline_id: z.string().nullable(),
  reject_reason: z.string().nullable(),
  approved_by: Id.nullable(),
  approved_at: Timestamp.nullable(),
  billing_run_id: Id.nullable(),
  invoice_id: Id.nullable(),
  invoiced_amount: MoneyOut.nullable(),
  allowed_actions: z
    .array(z.string().pipe(choice('stop', 'update', 'delete', 'submit', 'approve', 'reject', 'reopen')))
    .describe('Actions available to the caller in the current status.'),
  user: UserLabel.nullable().optional(),
}).meta({ id: 'TimeEntry' });

export const TimeEntryFilter = list(TimeEntry, {
  filter: [
    'user_id',
    'project_id',
    'task_id',
    'status',
    'billable',
    'local_date',
    'started_at',
    'invoice_id',
    'billing_run_id',
    'auto_stopped',
  ],
  sort: ['started_at', 'local_date', 'created_at', 'duration_seconds'],
  search: {
    through: {
      project_id: { table: 'projects', texts: ['code', 'name'] },
      task_id: { table: 'work_items', texts: ['title'] },
      user_id: { table: 'users', texts: ['name'] },
    },
  },
  order: '-started_at',
  expand: ['user'],
});

/**
 * Earliest time of an entry. Chosen: time entries have the same earliest day as business documents. An earlier year is
 * a typing mistake.
 */
const EARLIEST_MS = Date.parse('1900-01-01T00:00:00Z');
const moment = Timestamp.refine(
  (text) => Date.parse(text) >= EARLIEST_MS,
  'Enter a time in the year 1900 or later.',
).transform((text) => new Date(text));
const IDLE_MAX_S = 86_400;
const breaks = z
  .array(z.strictObject({ started_at: moment, ended_at: moment }))
  .max(50)
  .describe('Breaks within the time entry, in order, each with its end.');
const idle_seconds = z.int().min(0).max(IDLE_MAX_S);
const description = LongText.max(2_000);
const reason = LongText.min(1)
  .max(500)
  .describe('Reason for changing time of a locked period, which requires `time.approve`.');

export const NewTime = input({
  project_id: idOf('projects'),
  task_id: refTo('work_items').nullish(),
  description: description.nullish(),
  billable: z.boolean().optional().describe('Defaults to the setting of the task, or of the project.'),
  timezone: Zone.optional().describe('Defaults to your time zone.'),
  started_at: moment.optional().describe('Start of the time. Defaults to now. At most 24 hours ago without an end.'),
  ended_at: moment.optional().describe('End of finished time.'),
  breaks: breaks.default([]),
  idle_seconds: idle_seconds.default(0),
  discard_idle: z.boolean().default(false),
  source: choice('desktop', 'web', 'api').default('api'),
  offline_id: z
    .string()
    .min(1)
    .max(64)
    .optional()
    .describe('ID from an offline client. The same time with the same ID is stored once.'),
  client_now: moment.optional().describe('Current time of the device clock.'),
  reason: reason.optional(),
});

export const TimeStop = input({
  id: idOf('time_entries').optional().describe('Defaults to the running timer.'),
  ended_at: moment.optional(),
  description: description.nullish(),
  task_id: refTo('work_items').nullish(),
  breaks: breaks.optional(),
  idle_seconds: idle_seconds.optional(),
  discard_idle: z.boolean().default(false),
});

export const TimeChanges = input({
  project_id: idOf('projects').optional(),
  task_id: refTo('work_items').nullish(),
  description: description.nullish(),
  billable: z.boolean().optional(),
  started_at: moment.optional(),
  ended_at: moment.optional(),
  timezone: Zone.optional(),
  breaks: breaks.optional(),
  idle_seconds: idle_seconds.optional(),
  idle_discarded: z.boolean().optional(),
  hourly_rate: Money.nullish().describe('Hourly rate of this entry. Requires `time.approve`.'),
  reason: reason.optional(),
  version,
});

/** New entry, with the entry that its start has stopped. */
export const StartedTime = TimeEntry.extend({ stopped: TimeEntry.nullable() }).meta({ id: 'StartedTime' });

export type NewTime = z.output<typeof NewTime>;
export type TimeStop = z.output<typeof TimeStop>;
export type TimeChanges = z.output<typeof TimeChanges>;
