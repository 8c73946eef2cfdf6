import { choice, Day, Id, QtyOut, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';
import { leaves, STATUSES } from '../../attendance/attendance/attendance.schema.ts';
import { EmployeeLabel } from '../../employees/employees/employee.schema.ts';

const Half = choice('none', 'first', 'second');

const Today = z.object({
  local_date: Day.describe('Day of the shift, in its time zone.'),
  status: choice(...STATUSES, 'unmarked')
    .nullable()
    .describe(
      'Status of today. `unmarked` if the shift is over and no record exists, `null` before the end of the shift.',
    ),
  state: choice('open', 'closed').nullable(),
  first_in: Timestamp.nullable(),
  worked_minutes: z.int(),
  shift: z.object({ start: z.string(), end: z.string(), timezone: z.string() }).nullable(),
  on_leave: z
    .object({ from: Day, to: Day, half_day: Half })
    .nullable()
    .describe('First approved leave request that includes the day. `null` for none.'),
  leaves,
});

const Balance = z.object({
  leave_type_id: Id,
  code: z.string(),
  name: z.string(),
  color: z.string(),
  available: QtyOut.nullable().describe('Available days. `null` without a limit.'),
  taken: QtyOut,
  pending: QtyOut,
});

/** Holiday of an employee, limited to its days in the employee's calendar. */
export const OwnHoliday = z
  .object({
    id: Id,
    name: z.string(),
    from: Day,
    to: Day.describe('Last day of the holiday, inclusive.'),
    paid: z.boolean(),
    weekday: z.int().describe('Weekday of the first day, from 1 (Monday) to 7 (Sunday).'),
  })
  .meta({ id: 'OwnHoliday' });

const News = z.object({
  id: Id,
  title: z.string(),
  published_at: Timestamp,
  requires_ack: z.boolean(),
});
const Due = z.object({
  id: Id.describe('ID of the acknowledgment, for `POST /api/hrm/acknowledge/{acknowledgment_id}`.'),
  type: choice('announcement', 'document'),
  announcement_id: Id.nullable(),
  document_id: Id.nullable(),
  title: z.string(),
  due_on: Day,
});
const Request = z.object({
  id: Id,
  leave_type_id: Id,
  from: Day,
  to: Day,
  half_day: Half,
  days: QtyOut,
  status: choice('pending', 'first_approved'),
});
const Waiting = z.object({ id: Id, employee: EmployeeLabel, from: Day, to: Day, days: QtyOut });
const Payslip = z.object({ id: Id, period_start: Day, period_end: Day, pay_date: Day.nullable() });

/** Home page of an employee: their day and their pending matters. */
export const Home = z
  .object({
    employee: EmployeeLabel,
    today: Today,
    open_session: z.object({ since: Timestamp, on_break: z.boolean() }).nullable(),
    balances: z
      .array(Balance)
      .describe('Leave balances of the caller as of today, like `GET /api/hrm/get-leaves-types`.'),
    next_holidays: z.array(OwnHoliday).describe('Next holidays within a year, at most five.'),
    birthdays: z
      .array(z.object({ id: Id, name: z.string(), day: z.string().describe('Birthday, as MM-DD.') }))
      .describe('Birthdays of other employees in the next 14 days, at most 10.'),
    announcements: z.array(News).describe('The latest five announcements for the employee.'),
    acknowledgments_due: z.object({ count: z.int(), first: z.array(Due) }),
    pending_requests: z.array(Request).describe('Pending leave requests of the employee, at most 20.'),
    approvals_waiting: z
      .object({ count: z.int(), first: z.array(Waiting) })
      .describe('Leave requests awaiting your approval, including those as a deputy.'),
    last_payslip: Payslip.nullable(),
  })
  .meta({ id: 'HrmHome' });
