/** Derives attendance days from their punches and emits the results. */
import { sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Emit } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { AttendanceClosed } from '@suite/proto/hr/v1/events';
import { daysAfter } from '@suite/time-zones';
import {
  type WorkspaceCalendar,
  isEmployed,
  type EmployeeSchedule,
  valueOn,
  workDay,
} from '../../time/days/day.rules.ts';
import { readCompanyAndPeople } from '../../time/days/days.ts';
import type { Db } from '../../operations.ts';
import { CLOSING_MS, type DerivedDay, deriveDay } from './attendance-day.rules.ts';
import {
  beginDay,
  type DayRow,
  type StoredDay,
  type ManualValues,
  type NewDay,
  readDays,
  scheduleOf,
  updateDays,
} from './day-row.ts';
import { scheduleOn, type ShiftTermsLookup } from './schedule.rules.ts';

export const PayrollClosed = fault(
  409,
  'payroll_closed',
  'This day is part of a final payslip. Reverse the payroll to change it.',
);
export const OnLeave = fault(409, 'on_leave', 'This employee is on leave on that day. Choose another day.');
export const OutOfOrder = fault(
  422,
  'punches_out_of_order',
  'Each clock-in must be followed by a clock-out. Correct the order of the punches.',
);
export const NoShift = fault(409, 'no_shift', 'This employee has no shift on that day. Assign a shift first.');

/** Transaction context of a command that changes an attendance day. */
export interface DayContext {
  db: Db;
  emit: Emit;
}

/** Employee with the workspace data needed to count some days. */
export interface AttendanceEmployee {
  employee_id: string;
  company: WorkspaceCalendar;
  person: EmployeeSchedule;
}

/** Reads the data that attendance days of some employees are counted by. @param span first and last requested day */
export async function readEmployees(
  db: Db,
  employee_ids: readonly string[],
  span: { from: string; to: string },
): Promise<AttendanceEmployee[]> {
  const around = { from: daysAfter(span.from, -2), to: daysAfter(span.to, 2) };
  const { company, people } = await readCompanyAndPeople(db, around, employee_ids);
  return [...people].map(([employee_id, person]) => ({ employee_id, company, person }));
}

/** Returns a function that gets an employee's shift terms on a day. */
export const employeeTermsOn =
  ({ company, person }: AttendanceEmployee): ShiftTermsLookup =>
  (day) =>
    workDay(company, person, day).terms;

/** Returns an employee's shift on a day, as of that day. */
export const shiftOf = ({ company, person }: AttendanceEmployee, day: string): string | null =>
  valueOn(person.shifts, day) ?? company.default_shift_id;

/** SQL for the payslips whose days cannot change. */
const isFinal = sql`status IN ('finalised', 'withheld', 'paid')`;

/** Rejects days of final payslips. @throws PayrollClosed */
export async function assertPayrollOpen(db: Db, employee_id: string, day: string): Promise<void> {
  const [final] = await db.rows<{ id: string }>(sql`
    SELECT id FROM payroll_entries WHERE employee_id = ${employee_id}::uuid AND ${isFinal}
      AND ${day}::date BETWEEN period_start AND period_end LIMIT 1`);
  if (final) throw PayrollClosed({ payroll_entry_id: final.id });
}

/** Period of a final payslip. */
export interface FinalPeriod {
  employee_id: string;
  payroll_entry_id: string;
  period_start: string;
  period_end: string;
}

/** Returns the periods of the final payslips of employees. Their days cannot change, see `assertPayrollOpen`. */
export const readFinalPeriods = (db: Db, employee_ids: readonly string[]): Promise<FinalPeriod[]> =>
  db.rows<FinalPeriod>(sql`
    SELECT employee_id, id AS payroll_entry_id, period_start::text AS period_start, period_end::text AS period_end
    FROM payroll_entries WHERE employee_id = ANY (${employee_ids}::uuid[]) AND ${isFinal}`);

const hasChanged = (row: DayRow, derived: DerivedDay): boolean =>
  row.state === 'open' ||
  row.status !== derived.status ||
  row.worked_minutes !== derived.worked_minutes ||
  row.overtime_minutes !== derived.overtime_minutes;

/** Announces a closed day, and announces it again after a change. */
function announceDay({ emit }: DayContext, row: DayRow, derived: DerivedDay): void {
  if (derived.state === 'open' || !hasChanged(row, derived)) return;
  const { id: attendance_id, employee_id, local_date } = row;
  const { status, worked_minutes, overtime_minutes } = derived;
  emit(AttendanceClosed, { attendance_id, employee_id, local_date, status, worked_minutes, overtime_minutes });
}

type CalculatedDay = StoredDay & { derived: DerivedDay };

/** Announces closed days, and announces them again after a change. */
export function announceDays(context: DayContext, days: readonly CalculatedDay[]): void {
  for (const { row, derived } of days) announceDay(context, row, derived);
}

/** Stores attendance days that were derived or decided manually, and announces them. */
export async function settleDays(context: DayContext, days: readonly CalculatedDay[]): Promise<void> {
  await updateDays(context.db, days);
  announceDays(context, days);
}

/** Recalculates one day. */
export const settleDay = (
  context: DayContext,
  row: DayRow,
  derived: DerivedDay,
  marks: ManualValues = {},
): Promise<void> => settleDays(context, [{ row, derived, marks }]);

/**
 * Derives a day from its punches, its current leave, and the end of its window. A free day follows from the terms of
 * the day and from the current holidays.
 * @param is_over true if the window has passed. Defaults to a check against the clock.
 * @returns undefined for a day without a shift, and for a day that was decided manually and has no punches
 */
export function derive(
  row: DayRow,
  employee: AttendanceEmployee,
  { is_corrected = false, is_over }: { is_corrected?: boolean; is_over?: boolean } = {},
): DerivedDay | undefined {
  const schedule = scheduleOf(row);
  const { punches, shift_terms: terms, leave } = row;
  if (!schedule || !terms || (row.manual && punches.length === 0)) return undefined;
  const { kind } = workDay(employee.company, employee.person, row.local_date);
  const given_flags = is_corrected ? [...row.flags, 'corrected' as const] : row.flags;
  const has_passed = is_over ?? clock.now().getTime() >= schedule.closes + CLOSING_MS;
  return deriveDay({ punches, schedule, terms, kind, leave, is_over: has_passed, given_flags });
}

/** Checks if a day is empty: no punches, no leave and no manual entry. */
export const isBlank = ({ punches, leave, manual }: DayRow): boolean =>
  punches.length === 0 && leave === 'none' && !manual;

/** Checks if a day is a holiday or weekly day off for an employee. */
const isFreeDayOf = ({ company, person }: AttendanceEmployee, day: string): boolean =>
  ['holiday', 'weekly_off'].includes(workDay(company, person, day).kind);

/** Checks if a day is a holiday for an employee. */
export const isHoliday = ({ company, person }: AttendanceEmployee, day: string): boolean =>
  workDay(company, person, day).kind === 'holiday';

/**
 * Checks if an employee without punches missed a working day: the window has passed, and pay follows attendance. A
 * shift that began before the workspace or the employment was entered cannot be missed.
 */
export function isMissed(employee: AttendanceEmployee, day: string): boolean {
  const { company, person } = employee;
  const { kind, payroll_basis } = workDay(company, person, day);
  if (kind !== 'work' || (payroll_basis ?? company.payroll_basis) !== 'attendance') return false;
  const schedule = scheduleOn(employeeTermsOn(employee), day);
  const employment = person.employments.find((one) => isEmployed({ employments: [one] }, day));
  if (!schedule || !employment) return false;
  const known_at = Math.max(company.founded_at, employment.recorded_at);
  return known_at <= schedule.start && clock.now().getTime() >= schedule.closes + CLOSING_MS;
}

/**
 * Deletes empty days. Days with voided punches remain, because a user corrected them. @returns the IDs of deleted days
 */
export async function removeEmpty(db: Db, rows: readonly DayRow[]): Promise<string[]> {
  if (rows.length === 0) return [];
  const removed = await db.rows<{ id: string }>(sql`
    DELETE FROM attendances WHERE id = ANY (${rows.map(({ id }) => id)}::uuid[])
      AND NOT EXISTS (SELECT FROM attendance_events WHERE attendance_events.attendance_id = attendances.id) RETURNING id`);
  return removed.map(({ id }) => id);
}

/** Derives a day again, stores and announces it. A day that was decided manually and has no punches does not change. */
export async function rederive(
  context: DayContext,
  row: DayRow,
  employee: AttendanceEmployee,
  marks: ManualValues = {},
): Promise<void> {
  const derived = derive(row, employee, { is_corrected: Boolean(marks.corrected_by) });
  if (derived) await settleDay(context, row, derived, marks);
}

/**
 * Derives days of several employees again and stores changed days in one statement. Deletes empty working days that no
 * employee missed.
 */
export async function rederiveChanged(
  context: DayContext,
  rows: readonly DayRow[],
  employees: readonly AttendanceEmployee[],
): Promise<void> {
  const people = new Map(employees.map((employee) => [employee.employee_id, employee]));
  const isVoid = (row: DayRow) => {
    const employee = people.get(row.employee_id)!;
    return isBlank(row) && !isFreeDayOf(employee, row.local_date) && !isMissed(employee, row.local_date);
  };
  const empty = new Set(await removeEmpty(context.db, rows.filter(isVoid)));
  const days = rows.flatMap((row) => {
    const derived = empty.has(row.id) ? undefined : derive(row, people.get(row.employee_id)!);
    return derived && hasChanged(row, derived) ? [{ row, derived }] : [];
  });
  await settleDays(context, days);
}

/** Returns a new day for an employee, based on their shift on that day. @throws NoShift */
export function dayToBegin(employee: AttendanceEmployee, day: string): NewDay {
  const schedule = scheduleOn(employeeTermsOn(employee), day);
  const terms = employeeTermsOn(employee)(day);
  if (!schedule || !terms) throw NoShift();
  return { employee_id: employee.employee_id, schedule, terms, shift_id: shiftOf(employee, day), flags: [] };
}

/** Returns an employee's day and creates it if missing. @throws NoShift */
export async function openDay({ db }: DayContext, employee: AttendanceEmployee, day: string): Promise<DayRow> {
  const { employee_id } = employee;
  const [known] = await readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ${day}::date`);
  return known?.shift_terms ? known : await beginDay(db, dayToBegin(employee, day));
}
