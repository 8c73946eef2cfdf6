/** Keeps days of attendance as their punches make them, and announces what became of them. */
import { clock, type Emit, fault, sql } from '@suite/chassis';
import { AttendanceClosed } from '@suite/proto/hr/v1/events';
import { daysAfter } from '@suite/wall-clock';
import { type Company, type Person, valueOn, workDay } from '../days/day.rules.ts';
import { readCompany, readPeople } from '../days/days.ts';
import type { Db } from '../operations.ts';
import { CLOSING_MS, type DerivedDay, deriveDay } from './attendance-day.rules.ts';
import { beginDay, type DayRow, keepDay, type Marks, readDays, scheduleOf } from './day-row.ts';
import { scheduleOn, type TermsOn } from './schedule.rules.ts';

export const PayrollClosed = fault(409, 'payroll_closed', 'A payslip of this day is final.');
export const OnLeave = fault(409, 'on_leave', 'This person is on leave on that day.');
export const OutOfOrder = fault(
  422,
  'punches_out_of_order',
  'These times do not follow each other: who comes goes before he comes again.',
);
export const NoShift = fault(409, 'no_shift', 'This person has no shift on that day.');

/** The transaction that a day changes in. */
export interface DayContext {
  db: Db;
  emit: Emit;
}

/** A person with the facts of the company, around a day. */
export interface Worker {
  employee_id: string;
  company: Company;
  person: Person;
}

/** Reads what days of some people are counted by. @param span the first and the last day that are asked for */
export async function readWorkers(
  db: Db,
  employee_ids: readonly string[],
  span: { from: string; to: string },
): Promise<Worker[]> {
  const around = { from: daysAfter(span.from, -2), to: daysAfter(span.to, 2) };
  const [company, people] = await Promise.all([readCompany(db, around), readPeople(db, employee_ids)]);
  return [...people].map(([employee_id, person]) => ({ employee_id, company, person }));
}

/** The terms of somebody's shift on each day. */
export const termsOf =
  ({ company, person }: Worker): TermsOn =>
  (day) =>
    workDay(company, person, day).terms;

/** The shift of somebody on a day, as of that day. */
export const shiftOf = ({ company, person }: Worker, day: string): string | null =>
  valueOn(person.shifts, day) ?? company.default_shift_id;

/** Refuses days of payslips that are final. @throws PayrollClosed */
export async function assertPayrollOpen(db: Db, employee_id: string, day: string): Promise<void> {
  const [final] = await db.rows<{ id: string }>(sql`
    SELECT id FROM payroll_entries WHERE employee_id = ${employee_id}::uuid AND status IN ('finalised', 'withheld', 'paid')
      AND ${day}::date BETWEEN period_start AND period_end LIMIT 1`);
  if (final) throw PayrollClosed({ payroll_entry_id: final.id });
}

const hasChanged = (row: DayRow, derived: DerivedDay): boolean =>
  row.state === 'open' ||
  row.status !== derived.status ||
  row.worked_minutes !== derived.worked_minutes ||
  row.overtime_minutes !== derived.overtime_minutes;

/** Announces a day that is closed, and again when it is another one than before. */
function tell({ emit }: DayContext, row: DayRow, derived: DerivedDay): void {
  if (derived.state === 'open' || !hasChanged(row, derived)) return;
  const { id: attendance_id, employee_id, local_date } = row;
  const { status, worked_minutes, overtime_minutes } = derived;
  emit(AttendanceClosed, { attendance_id, employee_id, local_date, status, worked_minutes, overtime_minutes });
}

/** Writes figures of a day that somebody decided or the rules derived, and announces them. */
export async function settleDay(
  context: DayContext,
  row: DayRow,
  derived: DerivedDay,
  marks: Marks = {},
): Promise<void> {
  await keepDay(context.db, row.id, derived, marks);
  tell(context, row, derived);
}

/**
 * Derives a day anew of its punches, of what the day is by now, and of whether its window has passed. A day that was made by
 * hand, without punches, stays as it was decided.
 */
export async function rederive(
  context: DayContext,
  row: DayRow,
  worker: Worker,
  { only_changes = false, ...marks }: Marks & { only_changes?: boolean } = {},
): Promise<void> {
  const schedule = scheduleOf(row);
  if (!schedule || !row.shift_terms || (row.manual && row.punches.length === 0)) return;
  const is_over = clock.now().getTime() >= schedule.closes + CLOSING_MS;
  const { kind } = workDay(worker.company, worker.person, row.local_date);
  // A free day is one by the terms that it is counted by, and by the holidays of today.
  const given_flags = marks.corrected_by ? [...row.flags, 'corrected' as const] : row.flags;
  const { punches, shift_terms: terms, leave } = row;
  const derived = deriveDay({ punches, schedule, terms, kind, leave, is_over, given_flags });
  if (only_changes && !hasChanged(row, derived)) return;
  await settleDay(context, row, derived, marks);
}

/** Begins a day of somebody, or finds it. @throws NoShift */
export async function openDay({ db }: DayContext, worker: Worker, day: string): Promise<DayRow> {
  const { employee_id } = worker;
  const [known] = await readDays(db, sql`employee_id = ${employee_id}::uuid AND local_date = ${day}::date`);
  if (known?.shift_terms) return known;
  const schedule = scheduleOn(termsOf(worker), day);
  const terms = termsOf(worker)(day);
  if (!schedule || !terms) throw NoShift();
  return await beginDay(db, { employee_id, schedule, terms, shift_id: shiftOf(worker, day), flags: [] });
}
