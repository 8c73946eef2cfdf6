/** Clocking in and out, and your own attendance records. */
import { page, upserted } from '@suite/chassis/operations';
import { NoShift, OnLeave, PayrollClosed } from '../attendance-days/attendance-day.ts';
import { AttendanceDay } from '../attendance/attendance.schema.ts';
import { command, query } from '../../operations.ts';
import { employeesOnly, NotAnEmployee } from '../../employment/employee-users/current-employee.ts';
import { clockInOut, ClockSkew } from './clock.ts';
import { HistoryInput, PunchInput, ClockingResult } from './clocking.schema.ts';
import { ownHistory, RangeTooLong } from './history.ts';
import { AddressNotAllowed, OutsideGeofence } from './place.rules.ts';
import { EnteredByHand } from './punch-order.ts';
import { NotEmployedThen } from './punch-day.ts';
import * as punches from './punch.rules.ts';

export const tap = command('POST /api/hrm/clock-in-out', {
  summary: 'Clock in or out',
  description:
    'Records a punch. Without `type`, the punch toggles between in and out. A second punch within a minute, or with the same `client_id`, returns 200 with the first one. A punch with `at` is sorted by its time. Recalculates type and day of later punches without `type`.',
  access: employeesOnly,
  body: PunchInput,
  reply: upserted(ClockingResult),
  faults: [
    NotAnEmployee,
    punches.NotClockedIn,
    punches.AlreadyClockedIn,
    punches.OnBreak,
    punches.NotOnBreak,
    EnteredByHand,
    OnLeave,
    PayrollClosed,
    NoShift,
    NotEmployedThen,
    ClockSkew,
    OutsideGeofence,
    AddressNotAllowed,
  ],
  handle: ({ body, ...context }) => clockInOut(context, body),
});

export const history = query('POST /api/hrm/attendence-history', {
  summary: 'List your attendance records',
  description:
    'Returns your days in a month, or in a period of at most 366 days. Includes days without a record. `meta.summary` counts all days of the period.',
  access: employeesOnly,
  body: HistoryInput,
  reply: page(AttendanceDay),
  faults: [NotAnEmployee, RangeTooLong],
  handle: ({ db, caller, body }) => ownHistory(db, caller, body),
});
