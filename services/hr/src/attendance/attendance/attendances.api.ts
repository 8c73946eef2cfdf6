/**
 * Attendance records: one per employee and day, calculated from punches. A night shift belongs to the day on which it
 * begins.
 */
import { NotFound } from '@suite/chassis/faults';
import { idOf } from '@suite/chassis/fields';
import { can, created, ok, page, removed } from '@suite/chassis/operations';
import { NoShift, OnLeave, OutOfOrder, PayrollClosed } from '../attendance-days/attendance-day.ts';
import { OwnRecord } from '../../employment/employment/employment.rules.ts';
import { soleApproverFor } from '../../employment/employment/own-record.ts';
import { isInReach } from '../../employment/employment/record-scope.ts';
import { command, query } from '../../operations.ts';
import { correctAttendance, createAttendance, removeAttendance } from './attendance.ts';
import * as rules from './attendance.rules.ts';
import {
  Attendance,
  AttendanceChanges,
  AttendanceFilter,
  AttendanceInput,
  AttendanceMonth,
  AttendanceDryRun,
  MonthQuery,
} from './attendance.schema.ts';
import { listAttendances } from './attendance.view.ts';
import { attendanceDays, spanOfMonth, summaryOf } from './calendar.ts';
import { attendanceActions } from './attendance.rules.ts';

const wrongTimes = [OutOfOrder, rules.PunchesOverlap, rules.AmbiguousTime, rules.InTheFuture];

export const list = query('GET /api/attendances', {
  summary: 'List attendance records',
  description:
    'Returns the attendance records that you may see. `branch_id` and `department_id` select employees who work there today.',
  access: can('attendance.view'),
  query: AttendanceFilter,
  reply: page(Attendance),
  handle: ({ query, ...context }) => listAttendances(context, query),
});

export const month = query('GET /api/attendance/month', {
  summary: "Get an employee's attendance for a month",
  description: 'Returns every day of the month for one employee, including days without a record, with totals.',
  addition: 'A list of attendance days lacks the days without a record.',
  access: can('attendance.view'),
  query: MonthQuery,
  reply: ok(AttendanceMonth),
  async handle({ db, caller, query: { employee_id, month: columns } }) {
    if (!(await isInReach(db, caller, 'attendance', employee_id))) throw NotFound();
    const { from, to } = spanOfMonth(columns);
    const days = await attendanceDays(db, employee_id, from, to);
    if (days.length === 0) throw NotFound();
    return { employee_id, month: columns, days, totals: summaryOf(days) };
  },
});

export const create = command('POST /api/attendance/create', {
  summary: 'Create an attendance record',
  description:
    'Creates the record of a day without one. Enter all punches, the first and last punch, or a status without times. Returns `attendance_exists` if the day has a record. Returns `payroll_closed` for a day in a final payslip.',
  access: can('attendance.create'),
  query: AttendanceDryRun,
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
  prepare: soleApproverFor('attendance.create'),
  handle: ({ body, ...context }) => createAttendance(context, body),
});

export const update = command('POST /api/attendance/update/{attendance_id}', {
  summary: 'Correct an attendance record',
  description:
    'Corrects a record. Punches in the body replace all punches of the day. Replaced punches remain as voided. Returns `payroll_closed` for a day in a final payslip.',
  access: attendanceActions.can('update'),
  params: { attendance_id: idOf('attendances') },
  body: AttendanceChanges,
  reply: ok(Attendance),
  faults: [OwnRecord, PayrollClosed, ...wrongTimes],
  prepare: soleApproverFor('attendance.update'),
  handle: ({ params, body, expect, ...context }) => correctAttendance(context, params.attendance_id, body, expect),
});

export const remove = command('DELETE /api/attendance/delete/{attendance_id}', {
  summary: 'Delete a manual attendance record',
  description:
    'Deletes a record that was entered manually. Returns `has_punches` if the employee clocked in, and `on_leave` for a day of leave. Returns `payroll_closed` for a day in a final payslip.',
  access: attendanceActions.can('delete'),
  params: { attendance_id: idOf('attendances') },
  reply: removed,
  faults: [OwnRecord, rules.HasPunches, OnLeave, PayrollClosed],
  prepare: soleApproverFor('attendance.delete'),
  handle: ({ params, ...context }) => removeAttendance(context, params.attendance_id),
});
