/** Attendance: a day of somebody’s work, derived of when he came and went. A night shift is the day on which it began. */
import { can, created, idOf, NotFound, ok, page, removed } from '@suite/chassis';
import { NoShift, OnLeave, OutOfOrder, PayrollClosed } from '../attendance-days/attendance-day.ts';
import { OwnRecord } from '../employment/employment.rules.ts';
import { aloneWith } from '../employment/own-record.ts';
import { isInReach } from '../employment/reach.ts';
import { command, query } from '../operations.ts';
import { correctAttendance, createAttendance, removeAttendance } from './attendance.ts';
import * as rules from './attendance.rules.ts';
import {
  Attendance,
  AttendanceChanges,
  AttendanceFilter,
  AttendanceInput,
  AttendanceMonth,
  Dry,
  MonthQuery,
} from './attendance.schema.ts';
import { listAttendances } from './attendance.view.ts';
import { attendanceDays, spanOfMonth, summaryOf } from './calendar.ts';

const wrongTimes = [OutOfOrder, rules.PunchesOverlap, rules.AmbiguousTime, rules.InTheFuture];

export const list = query('GET /api/attendances', {
  summary: 'List attendance records',
  description: 'A branch or a department means those who work there today.',
  access: can('attendance.view'),
  query: AttendanceFilter,
  reply: page(Attendance),
  handle: ({ db, query }) => listAttendances(db, query),
});

export const month = query('GET /api/attendance/month', {
  summary: "Get an employee's attendance for a month",
  description: 'Each day of it, also those without a record, and their sums.',
  access: can('attendance.view'),
  query: MonthQuery,
  reply: ok(AttendanceMonth),
  async handle({ db, caller, query: { employee_id, month: asked } }) {
    if (!(await isInReach(db, caller, 'attendance', employee_id))) throw NotFound();
    const { from, to } = spanOfMonth(asked);
    const days = await attendanceDays(db, employee_id, from, to);
    if (days.length === 0) throw NotFound();
    return { employee_id, month: asked, days, totals: summaryOf(days) };
  },
});

export const create = command('POST /api/attendance/create', {
  summary: 'Create an attendance record',
  description: 'By its punches, by the first and the last of them, or by a status without clock times.',
  access: can('attendance.create'),
  query: Dry,
  body: AttendanceInput,
  reply: created(Attendance),
  faults: [
    OwnRecord,
    rules.AttendanceExists,
    OnLeave,
    PayrollClosed,
    NoShift,
    rules.BeforeJoining,
    rules.AfterExit,
    ...wrongTimes,
  ],
  prepare: aloneWith('attendance.create'),
  handle: ({ body, ...context }) => createAttendance(context, body),
});

export const update = command('POST /api/attendance/update/{attendance_id}', {
  summary: 'Correct an attendance record',
  description: 'The punches that it had stay, voided. Punches in the body are all that it has.',
  access: can('attendance.update'),
  params: { attendance_id: idOf('attendances') },
  body: AttendanceChanges,
  reply: ok(Attendance),
  faults: [OwnRecord, PayrollClosed, ...wrongTimes],
  prepare: aloneWith('attendance.update'),
  handle: ({ params, body, expect, ...context }) => correctAttendance(context, params.attendance_id, body, expect),
});

export const remove = command('DELETE /api/attendance/delete/{attendance_id}', {
  summary: 'Delete a manual attendance record',
  access: can('attendance.delete'),
  params: { attendance_id: idOf('attendances') },
  reply: removed,
  faults: [OwnRecord, rules.HasPunches, OnLeave, PayrollClosed],
  prepare: aloneWith('attendance.delete'),
  handle: ({ params, ...context }) => removeAttendance(context, params.attendance_id),
});
