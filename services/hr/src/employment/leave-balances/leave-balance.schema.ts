import { choice, Day, Id, input, PlannedDay, QtyOut, refTo, Timestamp, LongText } from '@suite/chassis/fields';
import { list } from '@suite/chassis/lists';
import { z } from 'zod';
import { searchedEmployee } from '../../organisation/setup/employee-search.ts';
import { LeaveLine } from '../leave-ledger/leave-line.schema.ts';

/** Days that were granted together, with their remainder. */
const Lot = z
  .object({
    id: Id.nullable().describe('ID of the ledger entry that granted the days. `null` for days not granted yet.'),
    kind: choice('allocation', 'accrual', 'carry_forward', 'adjustment'),
    days: QtyOut,
    left: QtyOut,
    valid_from: Day,
    valid_to: Day.nullable().describe('Last day on which the days can be used. `null` for no end.'),
  })
  .meta({ id: 'LeaveLot' });

const days = (what: string) => QtyOut.describe(what);

/** Leave balance of an employee for a leave type on a day. */
export const LeaveBalance = z
  .object({
    id: Id.describe('ID of the balance of this employment and leave type.'),
    employee_id: refTo('employees'),
    employee_code: z.string(),
    employee_name: z.string(),
    branch_id: refTo('branches'),
    department_id: refTo('departments'),
    employment_id: Id,
    leave_type_id: refTo('leave_types'),
    leave_type_code: z.string(),
    leave_type_name: z.string(),
    paid: z.boolean(),
    as_of: Day,
    entitled: days('Days granted for the year of that day, up to that day.'),
    carried: days('Days carried into that year.'),
    taken: days('Approved days of that year, including future ones.'),
    pending: days('Days of the year in pending requests.'),
    expired: days('Days expired in that year, up to that day.'),
    encashed: days('Days paid out in that year, up to that day, less days deducted from the final pay.'),
    available: days(
      'Days available on that day, less requested days. Negative if more was used than granted. `null` for leave without a limit.',
    ).nullable(),
    updated_at: Timestamp.describe('Last change of a ledger line or leave request of the balance.'),
    lots: z.array(Lot).optional().describe('Days available on that day, earliest expiry first.'),
  })
  .meta({ id: 'LeaveBalance' });

/** Filter on the employee and the leave type, applied before balances are calculated. */
export const LeaveBalanceFilter = list(LeaveBalance, {
  filter: ['employee_id', 'leave_type_id', 'branch_id', 'department_id', 'paid', 'updated_at'],
  sort: ['employee_name', 'employee_code', 'leave_type_name'],
  order: 'employee_name,leave_type_name',
  search: searchedEmployee,
  expand: ['lots'],
  also: {
    as_of: Day.optional().describe('Day of the balances, at most two years away. Defaults to today.'),
  },
});

const AMOUNT = 'Enter days as a decimal string such as "2" or "0.5", with at most two decimals.';
const TOO_MUCH = 'Enter at most 366 days.';
const Amount = (pattern: RegExp) =>
  z
    .string(AMOUNT)
    .regex(pattern, AMOUNT)
    .refine((text) => Number(text) !== 0, 'Enter a number of days other than 0.')
    .refine((text) => Math.abs(Number(text)) <= 366, TOO_MUCH);

const of = { employee_id: refTo('employees'), leave_type_id: refTo('leave_types') };
const Reason = LongText.max(500).min(1);

export const LeaveAdjustment = input({
  ...of,
  days: Amount(/^-?\d{1,3}(\.\d{1,2})?$/)
    .describe('Number of days. Negative to remove days.')
    .meta({ example: '2' }),
  valid_from: PlannedDay.describe('First day on which the days can be used. For removed days, the day of the removal.'),
  valid_to: PlannedDay.nullish().describe(
    'Last day on which the days can be used. A past day enters expired days, as for opening balances. Defaults to no expiry.',
  ),
  reason: Reason,
})
  .refine(({ valid_from, valid_to }) => !valid_to || valid_from <= valid_to, {
    path: ['valid_to'],
    message: 'The last day must not be before the first day.',
  })
  .refine(({ days: amount, valid_to }) => !(amount.startsWith('-') && valid_to), {
    path: ['valid_to'],
    message: 'Omit the last day when you deduct days.',
  });

export const LeaveEncashment = input({
  ...of,
  days: Amount(/^\d{1,3}(\.\d{1,2})?$/).meta({ example: '2' }),
  reason: Reason.nullish(),
});

/** Balance after a manual change, with the new ledger lines. */
export const ChangedBalance = z
  .object({ balance: LeaveBalance, ledger_lines: z.array(LeaveLine) })
  .meta({ id: 'ChangedLeaveBalance' });

export type LeaveAdjustment = z.output<typeof LeaveAdjustment>;
export type LeaveEncashment = z.output<typeof LeaveEncashment>;
