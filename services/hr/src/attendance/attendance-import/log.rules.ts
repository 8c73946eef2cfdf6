/** Reads a device log: comma-separated values with a header and the local times of the device clock. */
import { createRequire } from 'node:module';
import type * as Csv from 'csv-parse/sync';
import { Fault, fault } from '@suite/chassis/faults';
import { daysAfter, localTimesAt } from '@suite/time-zones';
import type { PunchType } from '../attendance-days/sessions.rules.ts';

export const UnreadableLog = fault(
  422,
  'unreadable_log',
  'This file is not a readable attendance log. Export it again from the device.',
);

/** Line of a log, as written in the file. */
export interface LogLine {
  /** Line number, from 1. The header counts. */
  line: number;
  employee_code: string;
  at: string;
  type: string;
  device_id: string;
}

const require = createRequire(import.meta.url);
/** Loads the parser with the first log. */
const csv = () => require('csv-parse/sync') as typeof Csv;

const COLUMNS = ['employee_code', 'at', 'type', 'device_id'];
const NEEDED = ['employee_code', 'at', 'device_id'];
export const LINES_MAX = 5_000;
/** Maximum length of a line, in characters. Codes, a time and a device need far fewer. */
const LINE_MAX = 10_000;
/** Spaces that are not ASCII. */
const OTHER_SPACES = /[^\S\x00-\x7f]+/g;
/** Maximum length of an unknown column name in a response. */
const NAME_MAX = 100;

/**
 * Returns the columns of the first line. The parser calls this function before it reads the other lines: thousands of
 * columns in each line would block the service for seconds.
 * @throws UnreadableLog for missing, unknown and repeated columns
 */
function columnsIn(names: string[]): string[] {
  const missing = NEEDED.find((name) => !names.includes(name));
  if (missing) throw UnreadableLog({ field: 'file', missing });
  const unknown = names.find((name) => !COLUMNS.includes(name));
  if (unknown !== undefined) throw UnreadableLog({ field: 'file', unknown: unknown.slice(0, NAME_MAX) });
  const repeated = names.find((name, at) => names.indexOf(name) < at);
  if (repeated) throw UnreadableLog({ field: 'file', repeated });
  return names;
}

/** Reads the lines of a log. @throws UnreadableLog if the text is not a log or has too many lines */
export function readLog(text: string): LogLine[] {
  let records: { info: { lines: number }; record: Record<string, string> }[];
  try {
    // The parser stops after the last allowed line and at a line that is too long.
    const limits = { max_record_size: LINE_MAX, to: LINES_MAX + 1 };
    // The parser needs ten times as long for other spaces, such as byte order marks, and no limit counts them.
    records = csv().parse(text.replaceAll(OTHER_SPACES, ' '), {
      columns: columnsIn,
      info: true,
      skip_empty_lines: true,
      trim: true,
      ...limits,
    });
  } catch (error) {
    throw error instanceof Fault ? error : UnreadableLog({ field: 'file' });
  }
  if (records.length === 0) throw UnreadableLog({ field: 'file', missing: 'lines' });
  if (records.length > LINES_MAX) throw UnreadableLog({ field: 'file', most: LINES_MAX });
  return records.map(({ info, record: { employee_code = '', at = '', type = '', device_id = '' } }) => ({
    line: info.lines,
    employee_code,
    at,
    type,
    device_id,
  }));
}

/** Checks that a day exists in the calendar. 30 February, for example, does not. */
const isDay = (day: string): boolean => daysAfter(day, 0) === day;

const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,3})?(Z|[+-]\d\d:\d\d)?$/;

/** Reason why a line has no time: the text is unreadable, or the day or hour does not exist. */
export type TimeProblem = 'unreadable_time' | 'no_such_time';

/**
 * Returns a written time in milliseconds since 1970. A time without an offset is in the device's zone. An ambiguous
 * time is the earlier one, unless the employee's previous line is later.
 */
export function timeOf(written: string, zone: string, before: number | undefined): number | TimeProblem {
  const [, day, time, offset] = WRITTEN.exec(written) ?? [];
  if (!day || !time) return 'unreadable_time';
  const utc = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
  if (Number.isNaN(utc) || !isDay(day)) return 'no_such_time';
  if (offset) return utc;
  const { first, last, is } = localTimesAt(day, time, zone);
  if (is === 'skipped') return 'no_such_time';
  return before !== undefined && before > first ? last : first;
}

const TYPES = new Set(['in', 'out', 'break_start', 'break_end', '']);

/** Returns the punch type of a line. @returns null for an unknown word, undefined for an empty one */
export const typeOf = (word: string): PunchType | null | undefined =>
  TYPES.has(word) ? ((word || undefined) as PunchType | undefined) : null;
