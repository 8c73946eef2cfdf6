import {
  choice,
  Day,
  DryRun,
  Id,
  idCheckedBy,
  inner,
  input,
  record,
  refTo,
  Timestamp,
  version,
  LongText,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { attendanceActions } from './attendance.rules.ts';

export const STATUSES = [
  'present',
  'absent',
  'half_day',
  'on_leave',
  'holiday',
  'weekly_off',
  'work_from_home',
] as const;
const FLAGS = [
  'missing_out',
  'late_out',
  'outside_shift',
  'on_holiday',
  'auto_break',
  'open_break',
  'missing_in',
  'corrected',
  'double_source',
] as const;
const TYPES = ['in', 'out', 'break_start', 'break_end'] as const;

/** Position reported by a device. */
export const Geo = z
  .strictObject({
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    accuracy_m: z.number().min(0).max(100_000).optional(),
  })
  .meta({ id: 'Geo' });

/** Punch as recorded. A corrected punch is voided but remains. */
export const PunchShown = z
  .object({
    id: Id,
    type: choice(...TYPES),
    at: Timestamp,
    local_at: z.string().describe('Time of day in the time zone of the shift.'),
    source: choice('web', 'mobile', 'device', 'admin'),
    ip: z.string().nullable(),
    geo: Geo.nullable(),
    note: z.string().nullable(),
    work_from_home: z.boolean(),
    voided: z.boolean(),
  })
  .meta({ id: 'AttendancePunch' });

/** Part of a day covered by approved leave. */
const LeavePart = z
  .object({
    leave_application_id: Id.describe('ID of the leave application.'),
    part: choice('first', 'second', 'full').describe('The first half, the second half or the full day.'),
  })
  .meta({ id: 'AttendanceLeavePart' });
/** Approved leave of the day. */
export const leaves = z.array(LeavePart).describe('Approved leave of the day. Two half-day leaves can share a day.');

const Terms = z.object({
  start: z.string(),
  end: z.string(),
  timezone: z.string(),
  break_minutes: z.int(),
});

const Label = z.object({ id: Id, code: z.string(), name: z.string() });
const minutes = z.int();
const readers = 'attendance.update';
const person = { person: 'user_id' };

/** Attendance day of an employee. */
export const Attendance = record({
  employee_id: refTo('employees'),
  employee: Label.nullable().optional(),
  user_id: Id.nullable().describe('ID of the user account of the employee.'),
  local_date: Day.describe('First day of the shift in its time zone. A night shift is one day.'),
  timezone: z.string(),
  state: choice('open', 'closed'),
  status: choice(...STATUSES).nullable(),
  shift_id: refTo('shifts').nullable(),
  shift: Terms.nullable().describe('Rules of the shift that apply to the day.'),
  first_in: Timestamp.nullable(),
  last_out: Timestamp.nullable(),
  worked_minutes: minutes,
  break_minutes: minutes,
  expected_minutes: minutes,
  late_minutes: minutes,
  early_minutes: minutes,
  overtime_minutes: minutes,
  overtime_approved: z.boolean().nullable(),
  flags: z.array(choice(...FLAGS)),
  leave_id: refTo('leave_applications').nullable().describe('ID of the first of `leaves`. `null` without leave.'),
  leaves,
  payroll_locked: z.boolean().describe('Whether the day is part of a final payslip. Reverse the payroll to change it.'),
  manual: z.boolean().describe('Whether the record was entered by hand without clock times.'),
  corrected_by: Id.nullable(),
  corrected_at: Timestamp.nullable(),
  reason: inner(z.string().nullable(), readers, person),
  punches: inner(z.array(PunchShown), readers, person).describe(
    'Punches by time. A correction voids the previous punches, which remain listed.',
  ),
  allowed_actions: Actions(attendanceActions),
}).meta({ id: 'Attendance' });

const columns = Attendance.extend({
  flag: choice(...FLAGS),
  department_id: refTo('departments'),
  branch_id: refTo('branches'),
});

/** Filters that are not columns of the table. */
export const SPECIAL = ['flag', 'department_id', 'branch_id'] as const;

export const AttendanceFilter = list(columns, {
  filter: ['employee_id', 'local_date', 'status', 'state', 'manual', 'created_at', ...SPECIAL],
  sort: ['local_date', 'created_at', 'updated_at'],
  order: '-local_date',
  search: searchedEmployee,
  expand: ['employee'],
});

const PunchTime = z.iso.datetime({ offset: true, local: true }).meta({ example: '2026-06-10T09:00:00+02:00' });

/** Manually entered times of a day: all punches, or the short form. */
const times = {
  punches: z
    .array(z.strictObject({ type: choice(...TYPES), at: PunchTime }))
    .min(1)
    .max(100)
    .optional()
    .describe('Punches of the day. Each time includes its offset from UTC.'),
  first_in: PunchTime.optional(),
  last_out: PunchTime.optional(),
  break_minutes: z.int().min(0).max(1_440).optional(),
};
const handmade = choice('present', 'absent', 'half_day', 'work_from_home').describe(
  'Status for a day without clock times.',
);
const Reason = LongText.max(500).min(1);

/** Manually entered attendance day. */
interface EnteredDay {
  status?: unknown;
  punches?: unknown;
  first_in?: unknown;
  last_out?: unknown;
  break_minutes?: unknown;
}

const ONE_FORM = 'Enter a status, punches, or `first_in` with its related fields.';
const isShortForm = ({ first_in, last_out, break_minutes }: EnteredDay): boolean =>
  [first_in, last_out, break_minutes].some((value) => value !== undefined);

/** Rejects a day that is entered in two forms. The error names the extra field. */
function assertOneForm(body: EnteredDay, issues: z.RefinementCtx): void {
  const given = (['status', 'punches'] as const).filter((name) => body[name] !== undefined);
  const [surplus] = given;
  if (given.length + Number(isShortForm(body)) > 1 && surplus)
    issues.addIssue({ code: 'custom', message: ONE_FORM, path: [surplus] });
}
const MISSING_START = { message: 'Enter the start of the day.', path: ['first_in'] };
const hasFirst = (body: EnteredDay): boolean => body.first_in !== undefined || !isShortForm(body);

export const AttendanceInput = input({
  employee_id: refTo('employees'),
  local_date: Day,
  reason: Reason,
  status: handmade.optional(),
  ...times,
})
  .superRefine(assertOneForm)
  .refine(hasFirst, MISSING_START)
  .refine(({ status, punches, first_in }) => status !== undefined || punches !== undefined || first_in !== undefined, {
    message: ONE_FORM,
    path: ['status'],
  });

export const AttendanceChanges = input({
  reason: Reason,
  status: handmade.optional(),
  ...times,
  overtime_approved: z.boolean().nullish(),
  override: z.literal('payroll_closed').optional().describe('Requires `payroll.run`. The difference becomes arrears.'),
  version,
})
  .superRefine(assertOneForm)
  .refine(hasFirst, MISSING_START);

export const AttendanceDryRun = { dry_run: DryRun };

/** Day in an attendance calendar. */
const CalendarDay = z.object({
  local_date: Day,
  weekday: z.int().describe('Day of the week, from 1 (Monday) to 7 (Sunday).'),
  status: choice(...STATUSES, 'unmarked')
    .nullable()
    .describe(
      'Current status. `unmarked` for a past working day without a record, which payroll pays. `null` for future days and days outside the employment.',
    ),
  state: choice('open', 'closed').nullable(),
  holiday: z.string().nullable(),
  attendance_id: Id.nullable(),
  first_in: Timestamp.nullable(),
  last_out: Timestamp.nullable(),
  worked_minutes: minutes,
  expected_minutes: minutes,
  late_minutes: minutes,
  overtime_minutes: minutes,
  flags: z.array(z.string()),
  leaves,
});

export const AttendanceSummary = z
  .object({
    present: z.int(),
    half_day: z.int(),
    absent: z.int().describe('Days with a recorded absence.'),
    unmarked: z.int().describe('Past working days without a record.'),
    on_leave: z.int(),
    worked_minutes: minutes,
    late_count: z.int(),
    overtime_minutes: minutes,
  })
  .meta({ id: 'AttendanceSummary' });

export const AttendanceDay = CalendarDay.meta({ id: 'AttendanceDay' });

export const AttendanceMonth = z
  .object({ employee_id: Id, month: z.string(), days: z.array(AttendanceDay), totals: AttendanceSummary })
  .meta({ id: 'AttendanceMonth' });

export const Month = z
  .string()
  .regex(/^\d{4}-(0[1-9]|1[0-2])$/, 'Enter a month as YYYY-MM.')
  .meta({ example: '2026-06' });
export const MonthQuery = {
  employee_id: idCheckedBy('hr: read among the employees whom the caller sees'),
  month: Month,
};

export type AttendanceInput = z.output<typeof AttendanceInput>;
export type AttendanceChanges = z.output<typeof AttendanceChanges>;
export type AttendanceDay = z.output<typeof AttendanceDay>;
export type AttendanceSummary = z.output<typeof AttendanceSummary>;
