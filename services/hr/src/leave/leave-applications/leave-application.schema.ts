import {
  choice,
  Day,
  DryRun,
  Id,
  inner,
  input,
  LongText,
  QtyOut,
  record,
  refTo,
  Timestamp,
  version,
} from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';
import { PERSONAL } from '../../employment/employment/employment.rules.ts';
import { leaveStates, OVERRIDES } from './leave-application.rules.ts';

const STATUSES = ['pending', 'first_approved', 'approved', 'rejected', 'cancelled'] as const;
const HalfDay = choice('none', 'first', 'second');

/**
 * Permission to see the reason and type of leave. Employees see their own. Payroll users see only the days and if they
 * are paid.
 */
const READERS = 'leave.decide';
const oneself = { person: 'user_id' };
const visibleToDeciders = <S extends z.ZodType>(schema: S) => inner(schema, READERS, oneself);

/** Short form of a leave type. */
const LeaveTypeLabel = z
  .object({ id: Id, code: z.string(), name: z.string(), color: z.string(), paid: z.boolean() })
  .meta({ id: 'LeaveTypeLabel' });

/** Document of a leave request. */
const Attachment = z
  .object({
    name: z.string(),
    mime: z.string(),
    url: z.string().describe('Download URL. No token required. Expires after one to three hours.'),
  })
  .meta({ id: 'LeaveAttachment' });

const Warning = choice('department_cover', 'document_due');

/** Previous version of a leave request, recorded before a part was cancelled. */
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
  user_id: Id.nullable().describe('ID of the user account of the employee on leave.'),
  paid: z.boolean(),
  from: Day,
  to: Day.describe('Last day of the leave, inclusive.'),
  half_day: HalfDay,
  starts_midday: z.boolean().describe('Whether the first day begins at noon.'),
  ends_midday: z.boolean().describe('Whether the last day ends at noon.'),
  days: QtyOut.describe('Number of days. Excludes days off and holidays, unless the leave type includes them.'),
  days_by_year: z.record(z.string(), QtyOut).describe('Number of days deducted from each year.'),
  status: choice(...STATUSES),
  approver_id: refTo('employees')
    .nullable()
    .describe(
      'ID of the employee whose decision is awaited, fixed at the request. `null` if any user who decides on leave can approve it.',
    ),
  approver: EmployeeLabel.nullable().optional(),
  on_behalf_of: Id.nullable().describe('ID of the employee for whom a deputy decides.'),
  first_approved_by: Id.nullable(),
  decided_by: Id.nullable().describe('ID of the user who decided.'),
  decided_at: Timestamp.nullable(),
  overrides: z.array(choice(...OVERRIDES)).describe('Rules that the approver overrode.'),
  warnings: z
    .array(Warning)
    .describe(
      'Problems that do not prevent the request: `department_cover` if more than half of the department would be absent, `document_due` if a document is missing.',
    ),
  changes: z.array(Change).optional(),
  allowed_actions: Actions(leaveStates),
};

/** Fields for users who decide on leave. */
const reasons = {
  leave_type_id: Id,
  leave_type: LeaveTypeLabel.nullable().optional(),
  reason: z.string().nullable(),
  remark: z.string().nullable(),
  balance_before: QtyOut.nullable().describe(
    'Days available on the first day, before this request. `null` without a limit.',
  ),
};

/** Leave request of an employee. */
export const LeaveApplication = record({
  ...shape,
  leave_type_id: visibleToDeciders(reasons.leave_type_id),
  leave_type: visibleToDeciders(reasons.leave_type),
  reason: visibleToDeciders(reasons.reason),
  remark: visibleToDeciders(reasons.remark),
  balance_before: visibleToDeciders(reasons.balance_before),
  attachment: inner(Attachment.nullable(), [READERS, ...PERSONAL], oneself),
}).meta({ id: 'LeaveApplication' });

/** Leave request with the details for its approver. */
export const LeaveToDecide = record({ ...shape, ...reasons })
  .omit({ user_id: true, changes: true })
  .meta({ id: 'LeaveToDecide' });

/** Leave request as created, with the remaining balance. */
export const CreatedLeave = LeaveApplication.extend({
  balance_after: visibleToDeciders(QtyOut.nullable()).describe(
    'Days available on the first day, after this request. `null` without a limit.',
  ),
}).meta({ id: 'LeaveAsked' });

const FILTER = ['leave_type_id', 'status', 'from', 'to', 'created_at', 'updated_at'] as const;
const SORT = ['created_at', 'updated_at', 'from', 'to'] as const;
const EXPAND = ['employee', 'leave_type', 'approver'] as const;

const SPAN = 'Enter two days as 2026-06-01,2026-06-30.';
const Span = z
  .string()
  .transform((text): unknown => text.split(','))
  .pipe(z.tuple([Day, Day], SPAN))
  .refine(([from, to]) => from <= to, 'The second day must not be before the first day.');
const overlaps = Span.optional().describe(
  'First and last day, comma-separated. Returns leave with at least one day in this period.',
);

export const LeaveApplicationFilter = list(LeaveApplication.extend({ department_id: refTo('departments') }), {
  filter: ['employee_id', 'approver_id', 'department_id', ...FILTER],
  sort: SORT,
  search: searchedEmployee,
  expand: [...EXPAND, 'changes'],
  also: { overlaps },
});

export const OwnLeaveFilter = list(LeaveApplication, { filter: FILTER, sort: SORT, expand: [...EXPAND, 'changes'] });
export const LeaveToDecideFilter = list(LeaveToDecide, {
  filter: ['employee_id', ...FILTER],
  sort: SORT,
  search: searchedEmployee,
  expand: EXPAND,
});

const Overrides = z
  .preprocess(
    (value) => (typeof value === 'string' ? [value] : value),
    z.array(choice(...OVERRIDES)).max(OVERRIDES.length),
  )
  .describe('Rules to ignore. `payroll_closed` requires `payroll.run` and creates arrears.');

const request = {
  leave_type_id: refTo('leave_types'),
  from: Day,
  to: Day,
  half_day: HalfDay.optional(),
  starts_midday: z.boolean().optional().describe('Whether the first of several days begins at noon.'),
  ends_midday: z.boolean().optional().describe('Whether the last of several days ends at noon.'),
  reason: LongText.nullish(),
};

/** Leave request by the employee. */
export const OwnLeaveInput = input(request);
export const LeaveApplicationInput = input({
  employee_id: refTo('employees'),
  ...request,
  override: Overrides.optional(),
});

const changes = input(request).partial().extend({ version }).shape;
export const OwnLeaveChanges = input(changes);
export const LeaveApplicationChanges = input({ ...changes, override: Overrides.optional() });

export const attachment = { field: 'attachment', kinds: 'documents', optional: true } as const;
export const LeaveDryRun = { dry_run: DryRun };
export { Overrides };

export type OwnLeaveInput = z.output<typeof OwnLeaveInput>;
export type LeaveApplicationInput = z.output<typeof LeaveApplicationInput>;
export type OwnLeaveChanges = z.output<typeof OwnLeaveChanges>;
export type LeaveApplicationChanges = z.output<typeof LeaveApplicationChanges>;
