import {
  Actions,
  choice,
  Day,
  DryRun,
  Id,
  inner,
  input,
  list,
  LongText,
  QtyOut,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis';
import { z } from 'zod';
import { EmployeeLabel } from '../employees/employee.schema.ts';
import { PERSONAL } from '../employment/employment.rules.ts';
import { leaveStates, OVERRIDES } from './leave-application.rules.ts';

const STATUSES = ['pending', 'first_approved', 'approved', 'rejected', 'cancelled'] as const;
const HalfDay = choice('none', 'first', 'second');

/** Payroll knows how many days somebody is away and whether they are paid; why, those know who decide, and oneself. */
const READERS = 'leave.decide';
const oneself = { person: 'user_id' };
const told = <S extends z.ZodType>(schema: S) => inner(schema, READERS, oneself);

/** A type of leave in a few words. */
const LeaveTypeLabel = z
  .object({ id: Id, code: z.string(), name: z.string(), color: z.string(), paid: z.boolean() })
  .meta({ id: 'LeaveTypeLabel' });

/** The document of an application. */
const Attachment = z
  .object({
    name: z.string(),
    mime: z.string(),
    url: z
      .string()
      .describe(
        'Address of the file. Opens without a bearer token, stays the same for up to two hours and expires an hour later.',
      ),
  })
  .meta({ id: 'LeaveAttachment' });

const Warning = choice('department_cover', 'document_due');

/** Leave as it was before a part of it was cancelled. */
const Change = z
  .object({
    from: Day,
    to: Day,
    half_day: HalfDay,
    starts_midday: z.boolean(),
    ends_midday: z.boolean(),
    days: QtyOut,
    created_by: Id.nullable(),
    created_at: Timestamp,
  })
  .meta({ id: 'LeaveChange' });

const shape = {
  employee_id: refTo('employees'),
  employee: EmployeeLabel.nullable().optional(),
  user_id: Id.nullable().describe('The user whose leave it is.'),
  paid: z.boolean(),
  from: Day,
  to: Day.describe('The last day, which is included.'),
  half_day: HalfDay.describe('Which half of the one day is taken.'),
  starts_midday: z.boolean().describe('The first day counts from noon.'),
  ends_midday: z.boolean().describe('The last day counts until noon.'),
  days: QtyOut.describe('Without days off and holidays, unless the type includes them.'),
  days_by_year: z.record(z.string(), QtyOut).describe('The days that each year is charged with.'),
  status: choice(...STATUSES),
  approver_id: refTo('employees')
    .nullable()
    .describe(
      'ID of the employee whose decision is awaited, fixed at the request. `null` if any user who decides on leave can approve it.',
    ),
  approver: EmployeeLabel.nullable().optional(),
  on_behalf_of: Id.nullable().describe('The employee for whom a deputy decides.'),
  first_approved_by: Id.nullable(),
  decided_by: Id.nullable().describe('The user who decided.'),
  decided_at: Timestamp.nullable(),
  overrides: z.array(choice(...OVERRIDES)).describe('Rules that were ignored.'),
  warnings: z
    .array(Warning)
    .describe('department_cover: more than half of the department would be away. document_due: a document is missing.'),
  changes: z.array(Change).optional(),
  allowed_actions: Actions(leaveStates),
};

/** Fields that those read who decide on leave. */
const reasons = {
  leave_type_id: Id,
  leave_type: LeaveTypeLabel.nullable().optional(),
  reason: z.string().nullable(),
  remark: z.string().nullable(),
  balance_before: QtyOut.nullable().describe(
    'Days available on the first day, before this request. `null` without a limit.',
  ),
};

/** An application: a person asks to be away. */
export const LeaveApplication = record({
  ...shape,
  leave_type_id: told(reasons.leave_type_id),
  leave_type: told(reasons.leave_type),
  reason: told(reasons.reason),
  remark: told(reasons.remark),
  balance_before: told(reasons.balance_before),
  attachment: inner(Attachment.nullable(), [READERS, ...PERSONAL], oneself),
}).meta({ id: 'LeaveApplication' });

/** The same for the one whose decision it waits for. */
export const LeaveToDecide = record({ ...shape, ...reasons })
  .omit({ user_id: true, changes: true })
  .meta({ id: 'LeaveToDecide' });

/** An application as it was asked for, with the balance that it leaves. */
export const LeaveAsked = LeaveApplication.extend({
  balance_after: told(QtyOut.nullable()).describe(
    'Days available on the first day, after this request. `null` without a limit.',
  ),
}).meta({ id: 'LeaveAsked' });

const FILTER = ['leave_type_id', 'status', 'from', 'to', 'created_at', 'updated_at'] as const;
const SORT = ['created_at', 'updated_at', 'from', 'to'] as const;
const EXPAND = ['employee', 'leave_type', 'approver'] as const;

const SPAN = 'Write two days as 2026-06-01,2026-06-30.';
const Span = z
  .string()
  .transform((text): unknown => text.split(','))
  .pipe(z.tuple([Day, Day], SPAN))
  .refine(([from, to]) => from <= to, 'The second day must not be before the first day.');
const overlaps = Span.optional().describe('Two days. Returns leave with at least one day in this period.');

export const LeaveApplicationFilter = list(LeaveApplication.extend({ department_id: refTo('departments') }), {
  filter: ['employee_id', 'approver_id', 'department_id', ...FILTER],
  sort: SORT,
  expand: [...EXPAND, 'changes'],
  also: { overlaps },
});

export const OwnLeaveFilter = list(LeaveApplication, { filter: FILTER, sort: SORT, expand: [...EXPAND, 'changes'] });
export const LeaveToDecideFilter = list(LeaveToDecide, {
  filter: ['employee_id', ...FILTER],
  sort: SORT,
  expand: EXPAND,
});

const Overrides = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(choice(...OVERRIDES)).max(OVERRIDES.length),
  )
  .describe('Rules to ignore. `payroll_closed` requires `payroll.run` and creates arrears.');

const asked = {
  leave_type_id: refTo('leave_types'),
  from: Day,
  to: Day,
  half_day: HalfDay.optional().describe('Half of the day. For one-day requests only.'),
  starts_midday: z.boolean().optional().describe('Whether the first of several days begins at noon.'),
  ends_midday: z.boolean().optional().describe('Whether the last of several days ends at noon.'),
  reason: LongText.nullish(),
};

/** Leave as somebody asks for it himself. */
export const OwnLeaveInput = input(asked);
export const LeaveApplicationInput = input({
  employee_id: refTo('employees'),
  ...asked,
  override: Overrides.optional(),
});

const changes = input(asked).partial().extend({ version }).shape;
export const OwnLeaveChanges = input(changes);
export const LeaveApplicationChanges = input({ ...changes, override: Overrides.optional() });

export const attachment = { field: 'attachment', kinds: 'documents', optional: true } as const;
export const Dry = { dry_run: DryRun };
export { Overrides };

export type OwnLeaveInput = z.output<typeof OwnLeaveInput>;
export type LeaveApplicationInput = z.output<typeof LeaveApplicationInput>;
export type OwnLeaveChanges = z.output<typeof OwnLeaveChanges>;
export type LeaveApplicationChanges = z.output<typeof LeaveApplicationChanges>;
