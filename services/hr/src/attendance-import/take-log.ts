/** Takes the log of a machine in: each line once, however often it comes. */
import { attempt, type Caller, clock, Fault, sql } from '@suite/chassis';
import { dayAt, daysAfter } from '@suite/wall-clock';
import { type DayContext, readWorkers, type Worker } from '../attendance-days/attendance-day.ts';
import { takeTap } from '../clocking/punch.ts';
import { inReach } from '../employment/reach.ts';
import type { Db } from '../operations.ts';
import { readSettings } from '../settings/settings.ts';
import { instantOf, type LogLine, typeOf } from './log.rules.ts';

/** The outcome of a log. */
export interface TakenLog {
  created: number;
  skipped: number;
  failed: { line: number; code: string }[];
}

interface Entry extends LogLine {
  employee_id: string;
  instant: number;
}

/** An employee whom lines of a log name. */
interface Logged {
  id: string;
  /** He hands the log in himself: nobody enters his own attendance. */
  is_own: boolean;
}

/**
 * Finds the employees of a log by their codes, and keeps their attendance for this transaction.
 * @param by whoever hands it in, who enters no attendance of his own; a machine, if nobody is named
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

/** The reason for which a line cannot be taken, in a word. */
function wrongWith(line: LogLine, person: Logged | undefined, instant: number | undefined): string | undefined {
  if (!person) return 'unknown_employee';
  if (person.is_own) return 'own_record';
  if (instant === undefined) return 'no_such_time';
  if (instant > clock.now().getTime() + 60_000) return 'in_the_future';
  if (typeOf(line.type) === null) return 'unknown_type';
  return line.device_id === '' ? 'no_device' : undefined;
}

/** Reads the lines of a log as they follow each other for each employee; those that cannot be read are told. */
function entriesOf(lines: readonly LogLine[], people: ReadonlyMap<string, Logged>, zone: string) {
  const failed: TakenLog['failed'] = [];
  const latest = new Map<string, number>();
  const entries: Entry[] = [];
  for (const line of lines) {
    const person = people.get(line.employee_code);
    const instant = instantOf(line.at, zone, person && latest.get(person.id));
    const wrong = wrongWith(line, person, instant);
    if (wrong) failed.push({ line: line.line, code: wrong });
    else {
      latest.set(person!.id, instant!);
      entries.push({ ...line, employee_id: person!.id, instant: instant! });
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

/** A log with the zone of the machine's clock, and whoever hands it in; nobody, where the machine does so itself. */
interface Log {
  lines: readonly LogLine[];
  zone: string;
  by: Caller | null;
}

/** Takes a log in. A line that does not fit is told, and the others are taken. */
export async function takeLog(context: DayContext, { lines, zone, by }: Log): Promise<TakenLog> {
  const { db } = context;
  const { entries, failed } = entriesOf(lines, await employeesOf(db, lines, by), zone);
  const [workers, settings] = [await workersOf(db, entries), await readSettings(db)];
  let [created, skipped] = [0, 0];
  for (const entry of entries) {
    const { device_id, instant, type, employee_id } = entry;
    const tap = { at: new Date(instant), type: typeOf(type) ?? undefined, source: 'device' as const, device_id };
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
