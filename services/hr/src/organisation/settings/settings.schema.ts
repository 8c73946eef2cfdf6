import { isIP } from 'node:net';
import { choice, input, Name, Percentage, Qty, QtyOut, record, version } from '@suite/chassis/fields';
import { Actions } from '@suite/chassis/operations';
import { z } from 'zod';
import { settingsActions } from './settings.rules.ts';

/** Last days of the months in a year that is not a leap year. */
const LAST_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const YearStart = z
  .string()
  .regex(/^\d\d-\d\d$/, 'Enter a month and a day as MM-DD.')
  .refine((text) => {
    const [month = 0, day = 0] = text.split('-').map(Number);
    return day >= 1 && day <= (LAST_DAYS[month - 1] ?? 0);
  }, 'This day does not exist in every year. Enter another one.')
  .meta({ example: '01-01' });

const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  const most = { 4: 32, 6: 128 }[isIP(address)];
  return (
    most !== undefined &&
    more.length === 0 &&
    (prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most))
  );
};
const Network = z
  .string()
  .trim()
  .max(50)
  .refine(isNetwork, 'Enter an address, or a network such as 203.0.113.0/24.')
  .meta({ example: '203.0.113.0/24' });

/** Circular area where employees can clock in. */
const Geofence = z
  .strictObject({
    name: Name,
    lat: z.number().min(-90).max(90),
    lng: z.number().min(-180).max(180),
    radius_m: z.int().min(10).max(100_000),
  })
  .meta({ id: 'Geofence' });

const choices = {
  tax_year_start: YearStart.describe('Month and day on which the tax year begins.'),
  four_eyes: z.boolean().describe('Whether users can never decide on records about themselves.'),
  retention_years: z.int().min(0).max(100).describe('Years after the exit before an employee can be erased.'),
  ack_days: z.int().min(1).max(365).describe('Number of days after which an acknowledgment is overdue.'),
  approval_reminder_days: z
    .int()
    .min(1)
    .max(365)
    .describe('Number of days after which an approver is reminded of a request.'),
  show_birthdays: z.boolean().describe('Whether employees can see the birthdays of other employees.'),
  clock_on_leave: z.boolean().describe('Whether an employee on leave for the day can clock in.'),
  geofences: z
    .array(Geofence)
    .max(100)
    .describe('Areas in which employees can clock in. Empty for all. Working from home is exempt.'),
  clock_addresses: z
    .array(Network)
    .max(100)
    .describe('IP addresses allowed for clocking in. Empty for all. Working from home is exempt.'),
  payroll_basis: choice('leave', 'attendance').describe(
    'Whether a working day without clock times is paid (`leave`) or an unpaid absence (`attendance`). Shifts and employees can have their own basis. Defaults to `leave` for new workspaces.',
  ),
  working_days_basis: choice('weekdays_less_holidays', 'weekdays', 'calendar', 'fixed_30').describe(
    'Days of a period that a salary is divided by.',
  ),
  overtime_pay: choice('approved', 'all').describe('Overtime that is paid.'),
  recovery_max_percent: Percentage.describe(
    'Maximum share of the remaining salary that recoveries can deduct, in percent.',
  ),
  arrears_months: z.int().min(0).max(60).describe('Number of past months that a payroll run checks for changes.'),
  payroll_day: z.int().min(1).max(31).describe('Day of the month for the automatic payroll draft.'),
  auto_draft: z.boolean().describe('Whether payroll drafts are created automatically.'),
};

/** HR settings of a workspace. */
export const HrmSettings = record({
  timezone: z.string().describe('IANA time zone of the workspace. Daily changes take effect at 00:00 in this zone.'),
  ...choices,
  overtime_factor: QtyOut.describe('Overtime multiplier: hours paid per hour of overtime, such as `1.5`.'),
  entitlement_step: QtyOut.describe('Rounding step for the leave entitlement of a part of a year, in days.'),
  allowed_actions: Actions(settingsActions),
}).meta({ id: 'HrmSettings' });

export const HrmSettingsChanges = input({ ...choices, overtime_factor: Qty, entitlement_step: Qty })
  .partial()
  .extend({ version });

export type HrmSettingsChanges = z.output<typeof HrmSettingsChanges>;
