/** Three months of demo attendance, derived by the same rules as punched attendance. */
import { randomUUIDv7 } from 'node:crypto';
import { sql } from '@suite/chassis/database';
import { clock } from '@suite/chassis/runtime';
import { isChosen, randomNumber, pickWeighted } from '@suite/demo';
import { daysAfter } from '@suite/time-zones';
import { deriveDay } from '../attendance/attendance-days/attendance-day.rules.ts';
import type { Punch, PunchType } from '../attendance/attendance-days/sessions.rules.ts';
import { type StoredDay, insertDays, newRow } from '../attendance/attendance-days/day-row.ts';
import { type WorkSchedule, scheduleOn } from '../attendance/attendance-days/schedule.rules.ts';
import {
  type WorkspaceCalendar,
  type EmployeeSchedule,
  type ShiftTerms,
  type WorkDay,
  workDays,
} from '../time/days/day.rules.ts';
import { readCompanyAndPeople } from '../time/days/days.ts';
import { leaveToday } from '../employment/leave-ledger/accounts.ts';
import type { Db } from '../operations.ts';

/** Covers the payroll periods of the demo: this month and the two before. */
export const ATTENDED_DAYS = 92;
const BATCH = 1_000;
const MINUTE_MS = 60_000;

/** Returns a cached lookup of shift schedules. A shift has the same schedule on a day for all its employees. */
function schedules() {
  const schedulesByKey = new Map<string, WorkSchedule>();
  return (terms: ShiftTerms, shift_id: string, day: string): WorkSchedule => {
    const key = `${shift_id} ${day}`;
    const schedule = schedulesByKey.get(key) ?? scheduleOn(() => terms, day)!;
    schedulesByKey.set(key, schedule);
    return schedule;
  };
}

/**
 * Generates random punches of a day. Most employees arrive roughly on time, a few forget to clock out, and some are
 * absent.
 */
function punchesOf({ start, end }: WorkSchedule): Punch[] {
  if (isChosen(0.02)) return [];
  const from_home = isChosen(0.06);
  const source = from_home ? 'web' : 'device';
  const punchAt = (type: PunchType, at: number): Punch => ({ type, at, source, work_from_home: from_home });
  const come = punchAt('in', start + randomNumber(-14, 9) * MINUTE_MS);
  if (isChosen(0.01)) return [come];
  const over = pickWeighted([
    [8, randomNumber(-6, 12)],
    [2, randomNumber(20, 90)],
  ]);
  return [come, punchAt('out', end + over * MINUTE_MS)];
}

/** Builds an employee's attendance day with random punches. */
function workedDay(employee_id: string, { day, kind, shift_id, terms }: WorkDay, schedule: WorkSchedule): StoredDay {
  const punches = punchesOf(schedule);
  const facts = { punches, schedule, terms: terms!, kind, leave: 'none' as const, is_over: true, given_flags: [] };
  const row = newRow({ employee_id, schedule: { ...schedule, day }, terms: terms!, shift_id, flags: [] });
  return {
    row: { ...row, punches: punches.map((punch) => ({ ...punch, id: randomUUIDv7(), is_toggle: false })) },
    derived: deriveDay(facts),
  };
}

async function writeDays(db: Db, days: readonly StoredDay[]): Promise<void> {
  const written = await insertDays(db, days);
  const punches = days
    .filter(({ row }) => written.has(row.id))
    .flatMap(({ row }) =>
      row.punches.map(({ id, type, at, source, work_from_home }) => {
        const { id: attendance_id, employee_id, shift_terms } = row;
        const timezone = shift_terms!.timezone;
        return {
          id,
          employee_id,
          attendance_id,
          type,
          at: new Date(at).toISOString(),
          timezone,
          source,
          work_from_home,
        };
      }),
    );
  await db.rows(sql`
    INSERT INTO attendance_events (id, employee_id, attendance_id, type, at, timezone, source, work_from_home)
    SELECT * FROM jsonb_to_recordset(${JSON.stringify(punches)}::jsonb) AS punch (id uuid, employee_id uuid, attendance_id uuid,
      type text, at timestamptz, timezone text, source text, work_from_home boolean)`);
}

/** Generates the working days of all employees, up to yesterday. */
function* daysOf(
  company: WorkspaceCalendar,
  people: ReadonlyMap<string, EmployeeSchedule>,
  span: { from: string; to: string },
) {
  const scheduleOf = schedules();
  for (const [employee_id, person] of people)
    for (const day of workDays(company, person, span.from, span.to))
      if (day.kind === 'work' && day.terms && day.shift_id)
        yield workedDay(employee_id, day, scheduleOf(day.terms, day.shift_id, day.day));
}

/** Creates attendance up to yesterday. Existing days, such as days of leave, do not change. No events are emitted. */
export async function provideAttendance(db: Db): Promise<void> {
  const today = await leaveToday(db);
  const span = { from: daysAfter(today, -ATTENDED_DAYS), to: daysAfter(today, -1) };
  const ids = (await db.employee.findMany({ orderBy: { id: 'asc' }, select: { id: true } })).map(({ id }) => id);
  const { company, people } = await readCompanyAndPeople(db, span, ids);
  let batch: StoredDay[] = [];
  for (const day of daysOf(company, people, span)) {
    // A night shift that began yesterday may still be running.
    if (day.row.window_end! > clock.now().getTime()) continue;
    batch.push(day);
    if (batch.length < BATCH) continue;
    await writeDays(db, batch);
    batch = [];
  }
  await writeDays(db, batch);
}
