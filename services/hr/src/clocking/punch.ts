/** Takes taps in, whoever makes them: a person, a machine, or the log of one. */
import { randomUUIDv7 } from 'node:crypto';
import { clock, fault, sql } from '@suite/chassis';
import { dayAt, daysAfter } from '@suite/wall-clock';
import {
  assertPayrollOpen,
  type DayContext,
  NoShift,
  OnLeave,
  OutOfOrder,
  readWorkers,
  rederive,
  shiftOf,
  termsOf,
  type Worker,
} from '../attendance-days/attendance-day.ts';
import { CLOSING_MS, isInOrder, type PunchType, type Source } from '../attendance-days/attendance-day.rules.ts';
import { beginDay, type DayRow, type KeptPunch, readDays, scheduleOf } from '../attendance-days/day-row.ts';
import { dayOfTap, scheduleOn } from '../attendance-days/schedule.rules.ts';
import { isEmployed } from '../days/day.rules.ts';
import type { Db } from '../operations.ts';
import type { Position } from './place.rules.ts';
import { type Before, meaningOf } from './tap.rules.ts';

export const NotEmployedThen = fault(422, 'not_employed', 'This person is not employed on that day.');

/** A tap on its way in. */
export interface Tap {
  at: Date;
  type?: PunchType | undefined;
  source: Source;
  ip?: string | undefined;
  geo?: Position | undefined;
  note?: string | undefined;
  work_from_home?: boolean;
  client_id?: string | undefined;
  device_id?: string | undefined;
}

/** The outcome of a tap. */
export interface Tapped {
  event_id: string;
  attendance_id: string;
  duplicate: boolean;
  warnings: string[];
}

/** A day with what surrounds it, as somebody had it before a tap. */
interface Last extends Before {
  row: DayRow;
}

/** The day of somebody's last punch until an instant. */
async function lastDay(db: Db, worker: Worker, at: number): Promise<Last | undefined> {
  const [row] = await readDays(
    db,
    sql`id = (
    SELECT attendance_id FROM attendance_events WHERE employee_id = ${worker.employee_id}::uuid AND voided_at IS NULL
      AND at <= ${new Date(at)} ORDER BY at DESC, id DESC LIMIT 1)`,
  );
  const schedule = row && scheduleOf(row);
  if (!row || !schedule) return undefined;
  const next = scheduleOn(termsOf(worker), daysAfter(row.local_date, 1));
  return {
    row,
    punches: row.punches.filter((punch) => punch.at <= at),
    closes: schedule.closes,
    next_opens: Math.max(schedule.closes, next?.opens ?? schedule.closes),
  };
}

/** The day that somebody begins by coming, or goes on with. @throws NoShift, NotEmployedThen, OnLeave */
async function dayToCome(context: DayContext, worker: Worker, at: number, zone: string): Promise<DayRow> {
  const { db } = context;
  const found = dayOfTap(termsOf(worker), at, zone);
  if (!found) throw NoShift();
  const { schedule, terms, outside_shift } = found;
  if (!isEmployed(worker.person, schedule.day)) throw NotEmployedThen({ local_date: schedule.day });
  const { employee_id } = worker;
  const flags = outside_shift ? (['outside_shift'] as const) : [];
  const row = await beginDay(db, { employee_id, schedule, terms, shift_id: shiftOf(worker, schedule.day), flags });
  if (!outside_shift || row.flags.includes('outside_shift')) return row;
  // The day is longer than it was: it closes when the next one opens.
  await db.rows(sql`
    UPDATE attendances SET flags = array_append(flags, 'outside_shift'), window_start = least(window_start, ${new Date(schedule.opens)}),
      window_end = greatest(window_end, ${new Date(schedule.closes)}) WHERE id = ${row.id}::uuid`);
  return (await readDays(db, sql`id = ${row.id}::uuid`))[0]!;
}

/** Writes a punch into a day. */
async function addPunch(db: Db, row: DayRow, type: PunchType, tap: Tap): Promise<string> {
  const { at, source, ip, geo, note, work_from_home = false, client_id, device_id } = tap;
  const [made] = await db.rows<{ id: string }>(sql`
    INSERT INTO attendance_events (id, employee_id, attendance_id, type, at, timezone, source, ip, geo, note, work_from_home, client_id, device_id)
    VALUES (${randomUUIDv7()}::uuid, ${row.employee_id}::uuid, ${row.id}::uuid, ${type}, ${at}, ${row.shift_terms!.timezone}, ${source}, ${ip ?? null},
      ${geo ? JSON.stringify(geo) : null}::jsonb, ${note ?? null}, ${work_from_home}::boolean, ${client_id ?? null}::uuid, ${device_id ?? null})
    RETURNING id`);
  return made!.id;
}

/** Puts a punch into its place among those of a day. @throws OutOfOrder when it does not fit there */
function withPunch(row: DayRow, punch: KeptPunch): DayRow {
  const at = row.punches.findIndex((other) => other.at > punch.at);
  const punches = at < 0 ? [...row.punches, punch] : row.punches.toSpliced(at, 0, punch);
  if (!isInOrder(punches)) throw OutOfOrder();
  return { ...row, punches };
}

/** How a workspace wants taps taken. */
export interface Clocking {
  clock_on_leave: boolean;
  timezone: string;
}

/**
 * Takes a tap in, as of its own instant. The employee's row must be locked: taps of one person happen one after another.
 * @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak, OutOfOrder, NoShift, NotEmployedThen, OnLeave, PayrollClosed
 */
export async function takeTap(context: DayContext, worker: Worker, tap: Tap, clocking: Clocking): Promise<Tapped> {
  const { db } = context;
  const at = tap.at.getTime();
  const last = await lastDay(db, worker, at);
  const meaning = meaningOf(at, tap.type, last);
  if (meaning.is === 'same')
    return { event_id: meaning.punch.id, attendance_id: last!.row.id, duplicate: true, warnings: [] };
  // Nobody came back to end that session: it ends by the rules, before another one begins.
  if (meaning.is === 'first' && meaning.left_open && clock.now().getTime() >= last!.closes + CLOSING_MS)
    await rederive(context, last!.row, worker);
  const row = meaning.is === 'first' ? await dayToCome(context, worker, at, clocking.timezone) : last!.row;
  if (row.leave === 'full' && meaning.is === 'first' && !clocking.clock_on_leave) throw OnLeave();
  await assertPayrollOpen(db, worker.employee_id, row.local_date);
  const type: PunchType = meaning.is === 'first' ? 'in' : meaning.type;
  const punch = { id: '', type, at, source: tap.source, work_from_home: tap.work_from_home ?? false };
  const changed = withPunch(row, punch);
  const event_id = await addPunch(db, row, type, tap);
  await rederive(context, { ...changed, manual: false }, worker);
  const warnings = row.leave === 'full' ? ['on_leave'] : [];
  return { event_id, attendance_id: row.id, duplicate: false, warnings };
}

/** Reads what taps of somebody around an instant are taken by. */
export async function readWorker(db: Db, employee_id: string, at: Date): Promise<Worker> {
  const day = dayAt(at.getTime(), 'UTC');
  const [worker] = await readWorkers(db, [employee_id], { from: daysAfter(day, -3), to: daysAfter(day, 3) });
  return worker!;
}
