import { Day, Id, input, LongText, refTo, Timestamp } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { UserLabel } from '@suite/user-copies';
import { z } from 'zod';

/** Time of a user in one week. */
export const Timesheet = z
  .object({
    id: Id.describe('ID of the first entry of the week.'),
    user_id: Id,
    week: Day.describe('Monday of the week.'),
    entries: z.int(),
    seconds: z.int(),
    rounded_seconds: z.int(),
    by_status: z.record(z.string(), z.int()).describe('Number of entries by status.'),
    updated_at: Timestamp,
    user: UserLabel.nullable().optional(),
  })
  .meta({ id: 'Timesheet' });

export const TimesheetFilter = list(Timesheet, {
  filter: ['user_id', 'week'],
  sort: ['week', 'seconds', 'entries'],
  order: '-week',
  search: { through: { user_id: { table: 'users', texts: ['name'] } } },
  expand: ['user'],
});

const ENTRIES_MAX = 500;
const reason = LongText.min(1).max(500);
const entry_ids = z
  .array(refTo('time_entries'))
  .min(1)
  .max(ENTRIES_MAX)
  .refine((ids) => new Set(ids).size === ids.length, 'Enter each entry only once.');

/** Selection of entries: by ID, or by user and span of days. */
const selection = {
  entry_ids: entry_ids.optional(),
  user_id: refTo('users').optional().describe('ID of the user. With `from` and `to`, replaces `entry_ids`.'),
  from: Day.optional(),
  to: Day.optional(),
};

type TimeSelection = Partial<Record<'user_id' | 'from' | 'to', string>> & { entry_ids?: readonly string[] | undefined };
const isForward = ({ from, to }: { from?: string | undefined; to?: string | undefined }) => !from || !to || from <= to;
const BACKWARD = { error: 'The last day must not be before the first day.', path: ['to'] };
/** Accepts only one way to select entries. A second one would be ignored. */
const isOneWay = ({ entry_ids, user_id, from, to }: TimeSelection) => !entry_ids || !(user_id || from || to);
const ONE_SELECTION = {
  error: 'Enter either time entries, or a user with a first and a last day.',
  path: ['entry_ids'],
};

export const Submission = input({ from: Day, to: Day }).refine(isForward, BACKWARD);
export const Approval = input(selection).refine(isForward, BACKWARD).refine(isOneWay, ONE_SELECTION);
export const Rejection = input({ ...selection, reason })
  .refine(isForward, BACKWARD)
  .refine(isOneWay, ONE_SELECTION);
export const Reopening = input({ entry_ids, reason });

/** Entries that an action has moved, or that already had the status. */
export const Moved = z
  .object({ entries: z.int(), seconds: z.int(), entry_ids: z.array(Id) })
  .meta({ id: 'TimesheetResult' });

export type Approval = z.output<typeof Approval>;
