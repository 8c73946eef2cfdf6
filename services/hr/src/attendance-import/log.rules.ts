/** Reads the log of a machine: comma-separated values with a header, and the times that its clock showed. */
import { createRequire } from 'node:module';
import type * as Csv from 'csv-parse/sync';
import { fault } from '@suite/chassis';
import { daysAfter, whenShown } from '@suite/wall-clock';
import type { PunchType } from '../attendance-days/sessions.rules.ts';

export const UnreadableLog = fault(422, 'unreadable_log', 'This file is not a readable attendance log.');

/** A line of a log, as it was written. */
export interface LogLine {
  /** From 1, the header among them. */
  line: number;
  employee_code: string;
  at: string;
  type: string;
  device_id: string;
}

const require = createRequire(import.meta.url);
/** Loaded with the first log. */
const csv = () => require('csv-parse/sync') as typeof Csv;

const COLUMNS = ['employee_code', 'at', 'type', 'device_id'];
const NEEDED = ['employee_code', 'at', 'device_id'];
export const LINES_MAX = 5_000;
/** The most characters of a line: codes, a time and a device need far fewer. */
const LINE_MAX = 10_000;

/** Reads the lines of a file. @throws UnreadableLog for what is no such log, or has too many lines */
export function readLog(text: string): LogLine[] {
  let records: { info: { lines: number }; record: Record<string, string> }[];
  try {
    // The parser stops behind the last line that counts, and at a line that is too long.
    const limits = { max_record_size: LINE_MAX, to: LINES_MAX + 1 };
    records = csv().parse(text, {
      bom: true,
      columns: true,
      info: true,
      skip_empty_lines: true,
      trim: true,
      ...limits,
    });
  } catch {
    throw UnreadableLog({ field: 'file' });
  }
  const [first] = records;
  if (!first) throw UnreadableLog({ field: 'file', missing: 'lines' });
  const names = Object.keys(first.record);
  const [missing, unknown] = [
    NEEDED.find((name) => !names.includes(name)),
    names.find((name) => !COLUMNS.includes(name)),
  ];
  if (missing || unknown) throw UnreadableLog({ field: 'file', ...(missing ? { missing } : { unknown }) });
  if (records.length > LINES_MAX) throw UnreadableLog({ field: 'file', most: LINES_MAX });
  return records.map(({ info, record: { employee_code = '', at = '', type = '', device_id = '' } }) => ({
    line: info.lines,
    employee_code,
    at,
    type,
    device_id,
  }));
}

/** Whether a calendar has the day: a clock that shows 30 February is wrong. */
const isDay = (day: string): boolean => daysAfter(day, 0) === day;

const WRITTEN = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:\.\d{1,3})?(Z|[+-]\d\d:\d\d)?$/;

/** The reason why a line has no time: the text is no date and time, or the day or hour does not exist. */
export type TimeProblem = 'unreadable_time' | 'no_such_time';

/**
 * Reads a written time, in milliseconds since 1970. A time without an offset is in the zone of the device: in an hour that occurs
 * twice the earlier one, unless the line before of the same employee is later.
 */
export function timeOf(written: string, zone: string, before: number | undefined): number | TimeProblem {
  const [, day, time, offset] = WRITTEN.exec(written) ?? [];
  if (!day || !time) return 'unreadable_time';
  const utc = Date.parse(`${day}T${time}${offset ?? 'Z'}`);
  if (Number.isNaN(utc) || !isDay(day)) return 'no_such_time';
  if (offset) return utc;
  const { first, last, is } = whenShown(day, time, zone);
  if (is === 'skipped') return 'no_such_time';
  return before !== undefined && before > first ? last : first;
}

const TYPES = new Set(['in', 'out', 'break_start', 'break_end', '']);

/** The type of a line. @returns null for a word that is none, undefined where none is given */
export const typeOf = (word: string): PunchType | null | undefined =>
  TYPES.has(word) ? ((word || undefined) as PunchType | undefined) : null;
