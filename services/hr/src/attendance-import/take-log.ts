/** Takes the log of a machine in: each line once, however often it comes. */
import { attempt, clock, Fault, sql } from '@suite/chassis';
import { dayAt, daysAfter } from '@suite/wall-clock';
import { type DayContext, readWorkers, type Worker } from '../attendance-days/attendance-day.ts';
import { takeTap } from '../clocking/punch.ts';
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

/** Finds the employees of a log by their codes, and keeps their attendance for this transaction. */
async function employeesOf(db: Db, lines: readonly LogLine[]): Promise<Map<string, string>> {
  const codes = [...new Set(lines.map(({ employee_code }) => employee_code))];
  const rows = await db.rows<{ id: string; code: string }>(sql`
    SELECT id, code FROM employees WHERE code = ANY (${codes}::text[]) AND status <> 'left' ORDER BY id FOR NO KEY UPDATE`);
  return new Map(rows.map(({ id, code }) => [code, id]));
}

/** Reads the lines of a log as they follow each other for each employee; those that cannot be read are told. */
function entriesOf(lines: readonly LogLine[], people: ReadonlyMap<string, string>, zone: string) {
  const failed: TakenLog['failed'] = [];
  const latest = new Map<string, number>();
  const entries: Entry[] = [];
  for (const line of lines) {
    const employee_id = people.get(line.employee_code);
    const instant = instantOf(line.at, zone, employee_id === undefined ? undefined : latest.get(employee_id));
    const isFuture = instant !== undefined && instant > clock.now().getTime() + 60_000;
    const code = employee_id
      ? instant === undefined
        ? 'no_such_time'
        : isFuture
          ? 'in_the_future'
          : undefined
      : 'unknown_employee';
    const wrong =
      code ?? (typeOf(line.type) === null ? 'unknown_type' : line.device_id === '' ? 'no_device' : undefined);
    if (wrong) failed.push({ line: line.line, code: wrong });
    else {
      latest.set(employee_id!, instant!);
      entries.push({ ...line, employee_id: employee_id!, instant: instant! });
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

/** Takes a log in. A line that does not fit is told, and the others are taken. @param zone of the machine's clock */
export async function takeLog(context: DayContext, lines: readonly LogLine[], zone: string): Promise<TakenLog> {
  const { db } = context;
  const { entries, failed } = entriesOf(lines, await employeesOf(db, lines), zone);
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
