/** Manual entry, correction and deletion of attendance days. */
import { randomUUIDv7 } from 'node:crypto';
import { assertVersion, find, remove, sql } from '@suite/chassis/database';
import { Forbidden } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { workDay } from '../../time/days/day.rules.ts';
import {
  assertPayrollOpen,
  type DayContext,
  OnLeave,
  openDay,
  readEmployees,
  rederive,
  settleDay,
  employeeTermsOn,
  type AttendanceEmployee,
} from '../attendance-days/attendance-day.ts';
import { type DerivedDay, expectedOn } from '../attendance-days/attendance-day.rules.ts';
import { type DayRow, type StoredPunch, readDays, scheduleOf } from '../attendance-days/day-row.ts';
import { assertInReach } from '../../employment/employment/record-scope.ts';
import type { Db } from '../../operations.ts';
import { type RecordContext, assertNotOwn } from '../../employment/employment/own-record.ts';
import * as rules from './attendance.rules.ts';
import type { AttendanceChanges, AttendanceInput } from './attendance.schema.ts';
import { readAttendance } from './attendance.view.ts';

/** Command context for changing other employees' attendance days. */
export interface CorrectionContext extends RecordContext {
  db: Db;
  emit: Emit;
}

/** Waits for concurrent changes to an employee's attendance. Rejects the caller's own. @throws OwnRecord */
async function lockEmployee(context: CorrectionContext, employee_id: string): Promise<void> {
  const [employee] = await context.db.rows<{ user_id: string | null }>(sql`
    SELECT user_id FROM employees WHERE id = ${employee_id}::uuid FOR NO KEY UPDATE`);
  if (employee) assertNotOwn(context, employee);
}

/** Rejects future days and days outside the employment. @throws BeforeJoining, AfterExit, InTheFuture */
function assertDay({ person, company }: AttendanceEmployee, day: string): void {
  const first = person.employments.map(({ joining_date }) => joining_date).toSorted()[0];
  if (first && day < first) throw rules.BeforeJoining({ field: 'local_date' });
  if (workDay(company, person, day).kind === 'not_employed') throw rules.AfterExit({ field: 'local_date' });
}

const EMPTY = {
  first_in: null,
  last_out: null,
  break_minutes: 0,
  late_minutes: 0,
  early_minutes: 0,
  overtime_minutes: 0,
} as const;

/**
 * Returns a day decided manually without clock times. Presence counts the expected minutes, a half day half of these.
 */
function dayByDecision(
  row: DayRow,
  employee: AttendanceEmployee,
  status: DerivedDay['status'],
  isCorrected: boolean,
): DerivedDay {
  const { kind } = workDay(employee.company, employee.person, row.local_date);
  const expected_minutes = expectedOn({ schedule: scheduleOf(row)!, terms: row.shift_terms!, kind, leave: row.leave });
  // Half a day of leave leaves half a day to work, so a half day of work is complete.
  const half = row.leave === 'none' ? 0.5 : 1;
  const part = { half_day: half, absent: 0 }[status as string] ?? 1;
  return {
    ...EMPTY,
    state: 'closed',
    status,
    expected_minutes,
    worked_minutes: Math.floor(expected_minutes * part),
    flags: isCorrected ? ['corrected'] : [],
  };
}

/** Writes the manually entered punches of a day. @throws PunchesOverlap, InTheFuture */
async function enterPunches(
  { db }: DayContext,
  row: DayRow,
  employee: AttendanceEmployee,
  entered: readonly rules.EnteredPunch[],
): Promise<DayRow> {
  const { outside_shift } = rules.assertOfDay(
    employeeTermsOn(employee),
    row.local_date,
    entered,
    clock.now().getTime(),
  );
  const punches = entered.map(
    ({ type, at }): StoredPunch => ({
      id: randomUUIDv7(),
      type,
      at,
      source: 'admin',
      work_from_home: false,
      is_toggle: false,
    }),
  );
  await db.attendanceEvent.createMany({
    data: punches.map(({ id, type, at, source }) => ({
      id,
      type,
      source,
      at: new Date(at),
      timezone: row.shift_terms!.timezone,
      employee_id: row.employee_id,
      attendance_id: row.id,
    })),
  });
  const flags = row.flags.filter((flag) => flag !== 'outside_shift');
  return { ...row, punches, manual: false, flags: outside_shift ? [...flags, 'outside_shift'] : flags };
}

/**
 * Enters an attendance day.
 * @throws OwnRecord, BeforeJoining, AfterExit, InTheFuture, AttendanceExists, OnLeave, PayrollClosed, NoShift,
 * OutOfOrder, PunchesOverlap, AmbiguousTime
 */
export async function createAttendance(
  context: CorrectionContext,
  { employee_id, local_date, reason, status, punches, ...short }: AttendanceInput,
) {
  const { db } = context;
  await assertInReach(context, 'attendance', employee_id);
  await lockEmployee(context, employee_id);
  const [employee] = await readEmployees(db, [employee_id], { from: local_date, to: local_date });
  assertDay(employee!, local_date);
  const [known] = await readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ${local_date}::date`);
  if (known?.leave === 'full') throw OnLeave({ attendance_id: known.id });
  // Half a day of leave already has an attendance day. The other half is entered into it.
  const isHalfOpen = known !== undefined && known.leave !== 'none' && !known.manual && known.punches.length === 0;
  if (known && !isHalfOpen) throw rules.AttendanceExists({ attendance_id: known.id });
  await assertPayrollOpen(db, employee_id, local_date);
  const row = await openDay(context, employee!, local_date);
  if (clock.now().getTime() < row.shift_start! && status !== undefined)
    throw rules.InTheFuture({ field: 'local_date' });
  if (status === undefined) {
    const entered = rules.punchesOf(punches, short);
    await rederive(context, await enterPunches(context, row, employee!, entered), employee!, { reason });
  } else await settleDay(context, row, dayByDecision(row, employee!, status, false), { manual: true, reason });
  return await readAttendance(context, row.id);
}

/** Locks a day. Rejects the caller's own. @throws NotFound, OwnRecord */
async function lockDay(context: CorrectionContext, id: string): Promise<DayRow & { version: number }> {
  const { employee_id } = await find(context.db.attendance, id);
  await lockEmployee(context, employee_id);
  const { version } = await find(context.db.attendance, id);
  const [row] = await readDays(context.db, sql`id = ${id}::uuid`);
  return { ...row!, version };
}

/**
 * Corrects an attendance day. The previous punches remain, voided.
 * @throws OwnRecord, Stale, PayrollClosed unless it is overridden, OutOfOrder, PunchesOverlap, AmbiguousTime,
 * InTheFuture
 */
export async function correctAttendance(
  context: CorrectionContext,
  id: string,
  changes: AttendanceChanges,
  expect: number | undefined,
) {
  const { db, caller } = context;
  const { reason, status, punches, override, overtime_approved, version: _, ...short } = changes;
  const row = await lockDay(context, id);
  assertVersion(row, expect);
  if (override && !caller.permissions.includes('payroll.run')) throw Forbidden({ permission: 'payroll.run' });
  if (!override) await assertPayrollOpen(db, row.employee_id, row.local_date);
  const corrected_by = caller.user_id;
  if (overtime_approved !== undefined)
    await db.rows(sql`
      UPDATE attendances SET overtime_approved = ${overtime_approved}::boolean, reason = ${reason} WHERE id = ${id}::uuid`);
  const isAnew = status !== undefined || punches !== undefined || short.first_in !== undefined;
  if (!isAnew) return await readAttendance(context, id);
  const [employee] = await readEmployees(db, [row.employee_id], { from: row.local_date, to: row.local_date });
  await db.rows(sql`
    UPDATE attendance_events SET voided_at = ${clock.now()}, voided_by = ${corrected_by}::uuid
    WHERE attendance_id = ${id}::uuid AND voided_at IS NULL`);
  if (status === undefined) {
    const entered = await enterPunches(context, row, employee!, rules.punchesOf(punches, short));
    await rederive(context, entered, employee!, { corrected_by, reason });
  } else {
    const bare = { ...row, punches: [] };
    await settleDay(context, bare, dayByDecision(bare, employee!, status, true), {
      manual: true,
      corrected_by,
      reason,
    });
  }
  return await readAttendance(context, id);
}

/** Deletes a manually entered day. @throws OwnRecord, HasPunches, OnLeave, PayrollClosed */
export async function removeAttendance(context: CorrectionContext, id: string) {
  const { db } = context;
  const row = await lockDay(context, id);
  await assertPayrollOpen(db, row.employee_id, row.local_date);
  if (row.leave !== 'none') throw OnLeave();
  const clocked = await db.attendanceEvent.count({ where: { attendance_id: id, source: { not: 'admin' } } });
  if (clocked > 0) throw rules.HasPunches({ punches: clocked });
  await db.attendanceEvent.deleteMany({ where: { attendance_id: id } });
  return await remove(db.attendance, id);
}
