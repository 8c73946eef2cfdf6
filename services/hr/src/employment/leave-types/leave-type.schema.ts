import { choice, Color, input, Name, QtyOut, record, version } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { leaveTypeActions } from './leave-type.rules.ts';

const DAYS = 'Enter days as a decimal string such as "25" or "2.5", with at most two decimals.';
/** Days in a request body: a non-negative decimal string with at most two decimals. */
export const Days = z
  .string(DAYS)
  .regex(/^\d{1,3}(\.\d{1,2})?$/, DAYS)
  .meta({ example: '25' });
const YearDays = Days.refine((days) => Number(days) <= 366, 'Enter at most 366 days.');

const DAY_OF_YEAR = 'Enter a day of the year as MM-DD, such as "03-31".';
const MonthDay = z
  .string(DAY_OF_YEAR)
  // 2001 is not a leap year, so 29 February is rejected.
  .refine((day) => z.iso.date().safeParse(`2001-${day}`).success, DAY_OF_YEAR)
  .meta({ example: '03-31' });

const Code = z
  .string()
  .trim()
  .regex(/^[a-z][a-z0-9_]{0,49}$/, 'Use only a-z, 0-9 and underscores, starting with a-z.');
const Count = z.int().min(0).max(3_660);
const Gender = choice('female', 'male', 'other');
const EmploymentType = choice('full', 'part', 'contract', 'intern');
const EmploymentTypes = z
  .array(EmploymentType)
  .max(4)
  .refine((types) => new Set(types).size === types.length, 'Enter each type of employment only once.');
const Accrual = choice('upfront', 'monthly');

/** Leave type with its policy. */
export const LeaveType = record({
  name: z.string(),
  code: z.string(),
  days_per_year: QtyOut,
  accrual: Accrual.describe(
    '`upfront` grants all days on the first of the year. `monthly` grants a part on the first of each month.',
  ),
  paid: z.boolean(),
  carry_forward_max: QtyOut.describe('Maximum number of days carried over to the next year.'),
  carry_expires_after_days: z.int().nullable().describe('Number of days in the next year until carried days expire.'),
  carry_expires_on: z
    .string()
    .nullable()
    .describe(
      'Last day on which carried days can be used, as `MM-DD`. Takes precedence over `carry_expires_after_days`.',
    ),
  max_consecutive: z.int().nullable(),
  min_notice_days: z.int().describe('Minimum calendar days between the request and the first day of leave.'),
  allow_half_day: z.boolean(),
  allow_negative_to: QtyOut.describe(
    'Maximum number of days that an employee can overdraw. `0` allows no negative balance.',
  ),
  include_holidays: z.boolean().describe('Whether holidays and days off within a request count as leave.'),
  applicable_after_days: z.int().describe('Calendar days of employment before the first possible day of leave.'),
  requires_document_after: z.int().nullable(),
  requires_reason: z.boolean(),
  encashable: z.boolean().describe('Whether days can be paid out.'),
  gender: Gender.nullable().describe('Limits the type to employees of this gender.'),
  employment_types: z.array(EmploymentType).describe('Limits the type to these types of employment. Empty for all.'),
  color: z.string(),
  plan_ahead: z.boolean().describe('Whether employees can request days that will be granted before the leave.'),
  second_step: z.boolean().describe('Whether a second approval is required.'),
  active: z.boolean().describe('Whether the type can be requested and grants days.'),
  allowed_actions: Actions(leaveTypeActions),
}).meta({ id: 'LeaveType' });

export const LeaveTypeFilter = list(LeaveType, {
  filter: ['name', 'code', 'paid', 'accrual', 'active', 'created_at', 'updated_at'],
  sort: ['name', 'code', 'created_at', 'updated_at'],
  order: 'name',
  search: true,
});

export const LeaveTypeInput = input({
  name: Name,
  code: Code,
  days_per_year: YearDays.default('0'),
  accrual: Accrual.default('upfront'),
  paid: z.boolean().default(true),
  carry_forward_max: Days.default('0'),
  carry_expires_after_days: z.int().min(1).max(366).nullish(),
  carry_expires_on: MonthDay.nullish(),
  max_consecutive: z.int().min(1).max(366).nullish(),
  min_notice_days: Count.default(0),
  allow_half_day: z.boolean().default(true),
  allow_negative_to: Days.default('0'),
  include_holidays: z.boolean().default(false),
  applicable_after_days: Count.default(0),
  requires_document_after: z.int().min(0).max(366).nullish(),
  requires_reason: z.boolean().default(false),
  encashable: z.boolean().default(false),
  gender: Gender.nullish(),
  employment_types: EmploymentTypes.default([]),
  color: Color.default('#64748b'),
  plan_ahead: z.boolean().optional().describe('Defaults to `true` for monthly accrual.'),
  second_step: z.boolean().default(false),
  active: z.boolean().default(true),
});

export const LeaveTypeChanges = input({
  name: Name.optional(),
  code: Code.optional(),
  days_per_year: YearDays.optional(),
  accrual: Accrual.optional(),
  paid: z.boolean().optional(),
  carry_forward_max: Days.optional(),
  carry_expires_after_days: z.int().min(1).max(366).nullish(),
  carry_expires_on: MonthDay.nullish(),
  max_consecutive: z.int().min(1).max(366).nullish(),
  min_notice_days: Count.optional(),
  allow_half_day: z.boolean().optional(),
  allow_negative_to: Days.optional(),
  include_holidays: z.boolean().optional(),
  applicable_after_days: Count.optional(),
  requires_document_after: z.int().min(0).max(366).nullish(),
  requires_reason: z.boolean().optional(),
  encashable: z.boolean().optional(),
  gender: Gender.nullish(),
  employment_types: EmploymentTypes.optional(),
  color: Color.optional(),
  plan_ahead: z.boolean().optional(),
  second_step: z.boolean().optional(),
  active: z.boolean().optional(),
  version,
});

export type LeaveTypeInput = z.output<typeof LeaveTypeInput>;
export type LeaveTypeChanges = z.output<typeof LeaveTypeChanges>;
