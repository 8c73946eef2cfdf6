/** Imports device logs. Each line counts once, however often it is sent. */
import { sql } from '@suite/chassis/database';
import { Fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import { dayAt, daysAfter } from '@suite/time-zones';
import {
  type DayContext,
  readFinalPeriods,
  readEmployees,
  type AttendanceEmployee,
} from '../attendance-days/attendance-day.ts';
import type { ClockingSettings } from '../clocking/punch.ts';
import { inReach } from '../../employment/employment/record-scope.ts';
import type { Db } from '../../operations.ts';
import { readSettings } from '../../organisation/settings/settings.ts';
import { type LogLine, type TimeProblem, timeOf, typeOf } from './log.rules.ts';
import { applyPunch, type LoggedPunch, newSheet, type PunchSheet, readSheetDays } from './punch-sheet.ts';
import { storeSheets } from './store-sheets.ts';

/** Result of a log import. */
export interface LogImport {
  created: number;
  skipped: number;
  failed: { line: number; code: string }[];
}

type LogEntry = LogLine & LoggedPunch;

/** Employee named in a log. */
interface LogEmployee {
  id: string;
  /** True if the employee submits the log themselves. Employees cannot enter their own attendance. */
  is_own: boolean;
}

/**
 * Finds the employees of a log by their codes and locks their attendance for this transaction.
 * @param by user who submits the log and cannot enter their own attendance. Null for a device
 */
async function employeesOf(db: Db, lines: readonly LogLine[], by: Caller | null): Promise<Map<string, LogEmployee>> {
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
interface DeviceLog {
  lines: readonly LogLine[];
  zone: string;
  /** User who imports the log. Null if a device pushes it. */
  by: Caller | null;
}

const DEVICE_MAX_AGE_MS = 7 * 24 * 3_600_000;

/** Returns the error code of a rejected line. */
function errorOfLine(line: LogLine, person: LogEmployee | undefined, time: number | TimeProblem, earliest: number) {
  if (!person) return 'unknown_employee';
  if (person.is_own) return 'own_record';
  if (typeof time === 'string') return time;
  if (time > clock.now().getTime() + 60_000) return 'in_the_future';
  if (time < earliest) return 'too_old';
  if (typeOf(line.type) === null) return 'unknown_type';
  return line.device_id === '' ? 'no_device' : undefined;
}

/** Reads the log lines in order of time, and reports rejected lines. */
function entriesOf({ lines, zone, by }: DeviceLog, people: ReadonlyMap<string, LogEmployee>) {
  // A device can be offline for up to a week. A user may import logs of any age.
  const earliest = by ? Number.NEGATIVE_INFINITY : clock.now().getTime() - DEVICE_MAX_AGE_MS;
  const failed: LogImport['failed'] = [];
  const latest = new Map<string, number>();
  const entries: LogEntry[] = [];
  for (const line of lines) {
    const person = people.get(line.employee_code);
    const time = timeOf(line.at, zone, person && latest.get(person.id));
    const wrong = errorOfLine(line, person, time, earliest);
    if (wrong) failed.push({ line: line.line, code: wrong });
    else {
      const instant = time as number;
      latest.set(person!.id, instant);
      entries.push({ ...line, employee_id: person!.id, instant });
    }
  }
  return { entries: entries.toSorted((one, other) => one.instant - other.instant), failed };
}

/** Returns the key of a line: the same device, employee and second. */
const keyOf = ({ device_id, employee_id, instant }: LoggedPunch): string =>
  JSON.stringify([device_id, employee_id, Math.floor(instant / 1_000)]);

/** Returns the keys of the lines that were imported before. Voided punches count as well. */
async function readImportedKeys(db: Db, entries: readonly LogEntry[]): Promise<Set<string>> {
  const punches = entries.map(({ device_id, employee_id, instant }) => ({
    device_id,
    employee_id,
    at: new Date(Math.floor(instant / 1_000) * 1_000).toISOString(),
  }));
  const rows = await db.rows<{ device_id: string; employee_id: string; second: number }>(sql`
    SELECT punch.device_id, punch.employee_id, extract(epoch FROM punch.at)::float8 AS second
    FROM jsonb_to_recordset(${JSON.stringify(punches)}::jsonb) AS punch (device_id text, employee_id uuid, at timestamptz)
    WHERE EXISTS (SELECT FROM attendance_events WHERE attendance_events.employee_id = punch.employee_id
      AND attendance_events.device_id = punch.device_id
      AND attendance_events.at >= punch.at AND attendance_events.at < punch.at + interval '1 second')`);
  return new Set(rows.map(({ second, ...row }) => keyOf({ ...row, instant: second * 1_000 })));
}

async function attendanceEmployeesOf(db: Db, entries: readonly LogEntry[]): Promise<Map<string, AttendanceEmployee>> {
  if (entries.length === 0) return new Map();
  const [from, to] = [entries[0]!.instant, entries.at(-1)!.instant].map((instant) => dayAt(instant, 'UTC')) as [
    string,
    string,
  ];
  const ids = [...new Set(entries.map(({ employee_id }) => employee_id))];
  const employees = await readEmployees(db, ids, { from: daysAfter(from, -3), to: daysAfter(to, 3) });
  return new Map(employees.map((employee) => [employee.employee_id, employee]));
}

/** Reads the sheets of a log's employees, with a fixed number of statements. */
async function readSheets(db: Db, entries: readonly LogEntry[]): Promise<Map<string, PunchSheet>> {
  const employees = await attendanceEmployeesOf(db, entries);
  const days = await readSheetDays(db, entries);
  const closed = Map.groupBy(await readFinalPeriods(db, [...employees.keys()]), ({ employee_id }) => employee_id);
  return new Map(
    [...employees].map(([id, employee]) => [id, newSheet(employee, days.get(id) ?? [], closed.get(id) ?? [])]),
  );
}

/** Applies the lines to the sheets of their employees, in order of time. */
function applyLines(
  entries: readonly LogEntry[],
  {
    sheets,
    known,
    clocking,
  }: { sheets: ReadonlyMap<string, PunchSheet>; known: Set<string>; clocking: ClockingSettings },
): LogImport {
  const result: LogImport = { created: 0, skipped: 0, failed: [] };
  for (const entry of entries) {
    const key = keyOf(entry);
    try {
      if (
        known.has(key) ||
        !applyPunch(sheets.get(entry.employee_id)!, entry, typeOf(entry.type) ?? undefined, clocking)
      )
        result.skipped += 1;
      else {
        known.add(key);
        result.created += 1;
      }
    } catch (error) {
      if (!(error instanceof Fault) || error.status >= 500) throw error;
      result.failed.push({ line: entry.line, code: error.code });
    }
  }
  return result;
}

/** Number of times that a log is read again because of a concurrently created day. */
const RETRIES = 5;

/**
 * Records the valid lines of a log and reports the rejected ones. Chosen: one transaction for the whole log, so that the
 * reported lines are stored together or not at all. The days are read once, and each changed day is written once.
 */
export async function importDeviceLog(context: DayContext, log: DeviceLog): Promise<LogImport> {
  const { db } = context;
  const { entries, failed } = entriesOf(log, await employeesOf(db, log.lines, log.by));
  const byLine = (one: { line: number }, other: { line: number }) => one.line - other.line;
  if (entries.length === 0) return { created: 0, skipped: 0, failed: failed.toSorted(byLine) };
  const clocking = await readSettings(db);
  for (let trial = 0; trial <= RETRIES; trial += 1) {
    const [sheets, known] = [await readSheets(db, entries), await readImportedKeys(db, entries)];
    const result = applyLines(entries, { sheets, known, clocking });
    if (await storeSheets(context, [...sheets.values()]))
      return { ...result, failed: [...failed, ...result.failed].toSorted(byLine) };
  }
  throw new Error('The days of an attendance log change with every attempt.');
}
