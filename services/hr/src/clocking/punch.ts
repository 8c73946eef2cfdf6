/** Takes taps in, whoever makes them: a person, a machine, or the log of one. */
import { randomUUIDv7 } from 'node:crypto';
import { clock, fault, sql } from '@suite/chassis';
import { dayAt, daysAfter } from '@suite/wall-clock';
import {
  assertPayrollOpen,
  type DayContext,
  derive,
  NoShift,
  OnLeave,
  OutOfOrder,
  readWorkers,
  rederive,
  shiftOf,
  tellDays,
  termsOf,
  type Worker,
} from '../attendance-days/attendance-day.ts';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import { type DayRow, insertDays, type KeptPunch, newRow, readDays, scheduleOf } from '../attendance-days/day-row.ts';
import { dayOfTap, scheduleOn, type TapDay } from '../attendance-days/schedule.rules.ts';
import { isInOrder, type PunchType, type Source } from '../attendance-days/sessions.rules.ts';
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

/** The days that a tap may be of: that of somebody's last punch until then, and the one in whose window the tap lies. */
interface Around {
  last: Last | undefined;
  /** The day that he begins if he comes; none without a shift. */
  begun: TapDay | null;
  /** The row of that day, once it is there. */
  known: DayRow | undefined;
}

/** When the last punch of a day was, up to an instant; minus infinity without one. */
const lastOf = ({ punches }: DayRow, at: number): number =>
  punches.findLast((punch) => punch.at <= at)?.at ?? Number.NEGATIVE_INFINITY;

/** Reads the days that a tap may be of, in one statement. */
async function daysAround(db: Db, worker: Worker, at: number, zone: string): Promise<Around> {
  const { employee_id } = worker;
  const begun = dayOfTap(termsOf(worker), at, zone);
  const rows = await readDays(
    db,
    sql`id = ANY (ARRAY(
      (SELECT attendance_id FROM attendance_events WHERE employee_id = ${employee_id}::uuid AND voided_at IS NULL
        AND at <= ${new Date(at)} ORDER BY at DESC, id DESC LIMIT 1)
      UNION ALL SELECT id FROM attendances WHERE employee_id = ${employee_id}::uuid AND local_date = ${begun?.schedule.day ?? null}::date))`,
  );
  const [row] = rows
    .filter((one) => lastOf(one, at) > Number.NEGATIVE_INFINITY)
    .toSorted((one, other) => lastOf(other, at) - lastOf(one, at));
  const known = rows.find(({ local_date }) => local_date === begun?.schedule.day);
  const schedule = row && scheduleOf(row);
  if (!row || !schedule) return { last: undefined, begun, known };
  const next = scheduleOn(termsOf(worker), daysAfter(row.local_date, 1));
  const last = {
    row,
    punches: row.punches.filter((punch) => punch.at <= at),
    closes: schedule.closes,
    next_opens: Math.max(schedule.closes, next?.opens ?? schedule.closes),
  };
  return { last, begun, known };
}

/** The day that somebody begins by coming, or goes on with. @throws NoShift, NotEmployedThen */
async function dayToCome(db: Db, worker: Worker, { begun, known }: Around): Promise<DayRow> {
  if (!begun) throw NoShift();
  const { schedule, terms, outside_shift } = begun;
  if (!isEmployed(worker.person, schedule.day)) throw NotEmployedThen({ local_date: schedule.day });
  const { employee_id } = worker;
  const flags = outside_shift ? (['outside_shift'] as const) : [];
  if (!known) return newRow({ employee_id, schedule, terms, shift_id: shiftOf(worker, schedule.day), flags });
  if (!outside_shift || known.flags.includes('outside_shift')) return known;
  // The day is longer than it was: it closes when the next one opens.
  await db.rows(sql`
    UPDATE attendances SET flags = array_append(flags, 'outside_shift'), window_start = least(window_start, ${new Date(schedule.opens)}),
      window_end = greatest(window_end, ${new Date(schedule.closes)}) WHERE id = ${known.id}::uuid`);
  return (await readDays(db, sql`id = ${known.id}::uuid`))[0]!;
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

/** Writes a day that somebody begins, with what it comes to. @returns false where somebody else has written it meanwhile */
async function begin(context: DayContext, row: DayRow, worker: Worker): Promise<boolean> {
  const derived = derive(row, worker)!;
  if ((await insertDays(context.db, [{ row, derived }])).size === 0) return false;
  tellDays(context, [{ row, derived }]);
  return true;
}

/**
 * Takes a tap in, as of its own instant. The employee's row must be locked: taps of one person happen one after another.
 * @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak, OutOfOrder, NoShift, NotEmployedThen, OnLeave, PayrollClosed
 */
export async function takeTap(context: DayContext, worker: Worker, tap: Tap, clocking: Clocking): Promise<Tapped> {
  const { db } = context;
  const at = tap.at.getTime();
  const around = await daysAround(db, worker, at, clocking.timezone);
  const { last, known } = around;
  const meaning = meaningOf(at, tap.type, last);
  if (meaning.is === 'same')
    return { event_id: meaning.punch.id, attendance_id: last!.row.id, duplicate: true, warnings: [] };
  // Nobody came back to end that session: it ends by the rules, before another one begins.
  if (meaning.is === 'first' && meaning.left_open && clock.now().getTime() >= last!.closes + CLOSING_MS)
    await rederive(context, last!.row, worker);
  const row = meaning.is === 'first' ? await dayToCome(db, worker, around) : last!.row;
  if (row.leave === 'full' && meaning.is === 'first' && !clocking.clock_on_leave) throw OnLeave();
  await assertPayrollOpen(db, worker.employee_id, row.local_date);
  const type: PunchType = meaning.is === 'first' ? 'in' : meaning.type;
  const punch = {
    id: '',
    type,
    at,
    source: tap.source,
    work_from_home: tap.work_from_home ?? false,
    is_toggle: tap.type === undefined,
  };
  const changed = { ...withPunch(row, punch), manual: false };
  const isNew = meaning.is === 'first' && !known;
  if (isNew && !(await begin(context, changed, worker))) return await takeTap(context, worker, tap, clocking);
  const event_id = await addPunch(db, row, type, tap);
  if (!isNew) await rederive(context, changed, worker);
  const warnings = row.leave === 'full' ? ['on_leave'] : [];
  return { event_id, attendance_id: row.id, duplicate: false, warnings };
}

/** Reads what taps of somebody around an instant are taken by. */
export async function readWorker(db: Db, employee_id: string, at: Date): Promise<Worker> {
  const day = dayAt(at.getTime(), 'UTC');
  const [worker] = await readWorkers(db, [employee_id], { from: daysAfter(day, -3), to: daysAfter(day, 3) });
  return worker!;
}
