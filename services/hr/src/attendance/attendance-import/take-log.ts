/** Imports device logs. Each line counts once, however often it is sent. */
import { attempt, sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { dayAt, daysAfter } from '@suite/time-zones';
import { type DayContext, readWorkers, type Worker } from '../attendance-days/attendance-day.ts';
import { takeTap } from '../clocking/punch.ts';
import { inReach } from '../../employment/employment/reach.ts';
import type { Db } from '../../operations.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import { type LogLine, type TimeProblem, timeOf, typeOf } from './log.rules.ts';

/** Result of a log import. */
export interface TakenLog {
  created: number;
  skipped: number;
  failed: { line: number; code: string }[];
}

interface Entry extends LogLine {
  employee_id: string;
  instant: number;
}

/** Employee named in a log. */
interface Logged {
  id: string;
  /** True if the employee submits the log themselves. Employees cannot enter their own attendance. */
  is_own: boolean;
}

/**
 * Finds the employees of a log by their codes and locks their attendance for this transaction.
 * @param by user who submits the log and cannot enter their own attendance; null for a device
 */
async function employeesOf(db: Db, lines: readonly LogLine[], by: Caller | null): Promise<Map<string, Logged>> {
  const codes = [...new Set(lines.map(({ employee_code }) => employee_code))];
  const reached = by ? inReach(by, 'attendance') : sql`TRUE`;
  const { four_eyes } = await readSettings(db);
  const rows = await db.rows<{ id: string; code: string; user_id: string | null }>(sql`
    SELECT id, code, user_id FROM employees WHERE code = ANY (${codes}::text[]) AND status <> 'left' AND ${reached}
    ORDER BY id FOR NO KEY UPDATE`);
  const isOwn = (user_id: string | null) => four_eyes && by !== null && user_id === by.user_id;
  return new Map(rows.map(({ id, code, user_id }) => [code, { id, is_own: isOwn(user_id) }]));
}

/** Device log, with the time zone of the device clock. */
interface Log {
  lines: readonly LogLine[];
  zone: string;
  /** User who imports the log. Null if a device pushes it. */
  by: Caller | null;
}

const DEVICE_MAX_AGE_MS = 7 * 24 * 3_600_000;

/** Returns the error code of a rejected line. */
function wrongWith(line: LogLine, person: Logged | undefined, time: number | TimeProblem, earliest: number) {
  if (!person) return 'unknown_employee';
  if (person.is_own) return 'own_record';
  if (typeof time === 'string') return time;
  if (time > clock.now().getTime() + 60_000) return 'in_the_future';
  if (time < earliest) return 'too_old';
  if (typeOf(line.type) === null) return 'unknown_type';
  return line.device_id === '' ? 'no_device' : undefined;
}

/** Reads the log lines in order of time, and reports rejected lines. */
function entriesOf({ lines, zone, by }: Log, people: ReadonlyMap<string, Logged>) {
  // A device can be offline for up to a week. A user may import logs of any age.
  const earliest = by ? Number.NEGATIVE_INFINITY : clock.now().getTime() - DEVICE_MAX_AGE_MS;
  const failed: TakenLog['failed'] = [];
  const latest = new Map<string, number>();
  const entries: Entry[] = [];
  for (const line of lines) {
    const person = people.get(line.employee_code);
    const time = timeOf(line.at, zone, person && latest.get(person.id));
    const wrong = wrongWith(line, person, time, earliest);
    if (wrong) failed.push({ line: line.line, code: wrong });
    else {
      const instant = time as number;
      latest.set(person!.id, instant);
      entries.push({ ...line, employee_id: person!.id, instant });
    }
  }
  return { entries: entries.toSorted((one, other) => one.instant - other.instant), failed };
}

const isKnown = async (db: Db, { device_id, employee_id, instant }: Entry): Promise<boolean> => {
  const known = await db.rows(sql`
    SELECT id FROM attendance_events WHERE device_id = ${device_id} AND employee_id = ${employee_id}::uuid
      AND date_trunc('second', at, 'UTC') = date_trunc('second', ${new Date(instant)}::timestamptz, 'UTC')`);
  return known.length > 0;
};

async function workersOf(db: Db, entries: readonly Entry[]): Promise<Map<string, Worker>> {
  if (entries.length === 0) return new Map();
  const [from, to] = [entries[0]!.instant, entries.at(-1)!.instant].map((instant) => dayAt(instant, 'UTC')) as [
    string,
    string,
  ];
  const ids = [...new Set(entries.map(({ employee_id }) => employee_id))];
  const workers = await readWorkers(db, ids, { from: daysAfter(from, -3), to: daysAfter(to, 3) });
  return new Map(workers.map((worker) => [worker.employee_id, worker]));
}

/** Records the valid lines of a log and reports the rejected ones. */
export async function takeLog(context: DayContext, log: Log): Promise<TakenLog> {
  const { db } = context;
  const { entries, failed } = entriesOf(log, await employeesOf(db, log.lines, log.by));
  const [workers, settings] = [await workersOf(db, entries), await readSettings(db)];
  let [created, skipped] = [0, 0];
  for (const entry of entries) {
    const { device_id, instant, type, employee_id } = entry;
    const at = new Date(instant);
    const tap = { at, type: typeOf(type) ?? undefined, is_late: true, source: 'device' as const, device_id };
    try {
      const isRepeated =
        (await isKnown(db, entry)) ||
        (await attempt(() => takeTap(context, workers.get(employee_id)!, tap, settings))).duplicate;
      if (isRepeated) skipped += 1;
      else created += 1;
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error;
      failed.push({ line: entry.line, code: error.code });
    }
  }
  return { created, skipped, failed: failed.toSorted((one, other) => one.line - other.line) };
}
