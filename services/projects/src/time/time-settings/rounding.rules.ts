/** Duration of a time entry: actual seconds, and rounded seconds for invoices. */
import { dayAt, offsetAt, weekdayOf } from '@suite/time-zones';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Rounding direction: down, up, or to the nearest, with ties rounded down. */
type RoundingDirection = 'down' | 'up' | 'near';

/** Rounds to a multiple of a step. */
function roundTo(value: number, step: number, direction: RoundingDirection): number {
  const over = value % step;
  if (over === 0) return value;
  const isDown = direction === 'down' || (direction === 'near' && over * 2 <= step);
  return isDown ? value - over : value - over + step;
}

/**
 * Rounds a time on the wall clock of a zone, at its own offset. Chosen: minutes are counted from local midnight. Steps
 * that do not divide the hour are then independent of the zone.
 */
function roundClock(instant: Date, zone: string, minutes: number, direction: RoundingDirection): Date {
  if (minutes === 0) return instant;
  const offset = offsetAt(instant.getTime(), zone);
  const local = instant.getTime() + offset;
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  return new Date(midnight + roundTo(local - midnight, minutes * MINUTE_MS, direction) - offset);
}

/** Rounding modes, with the direction for begin, end and duration. */
const DIRECTIONS: Readonly<Record<string, Record<'begin' | 'end' | 'duration', RoundingDirection>>> = {
  default: { begin: 'down', end: 'up', duration: 'up' },
  closest: { begin: 'near', end: 'near', duration: 'near' },
  floor: { begin: 'down', end: 'down', duration: 'down' },
  ceil: { begin: 'up', end: 'up', duration: 'up' },
};

/** Rounding rule. 0 minutes leave a part unchanged. */
export interface Rounding {
  mode: string;
  begin_minutes: number;
  end_minutes: number;
  duration_minutes: number;
  /** Weekdays of the rounding: 1 for Monday to 7 for Sunday. */
  weekdays: number[];
}

/** Finished part of a time entry, such as a break. */
export interface TimeInterval {
  started_at: Date;
  ended_at: Date;
}

/** Fields of a finished entry that its duration depends on. */
export interface EntrySpan extends TimeInterval {
  timezone: string;
  breaks: readonly TimeInterval[];
  idle_seconds: number;
  idle_discarded: boolean;
}

const lengthOf = ({ started_at, ended_at }: TimeInterval): number => ended_at.getTime() - started_at.getTime();

/** Returns the time of breaks and discarded idle time. */
const secondsNotWorked = ({ breaks, idle_seconds, idle_discarded }: EntrySpan): number =>
  breaks.reduce((all, one) => all + lengthOf(one), 0) + (idle_discarded ? idle_seconds * 1_000 : 0);

/** Returns the worked seconds. */
export const durationOf = (span: EntrySpan): number =>
  Math.max(0, Math.floor((lengthOf(span) - secondsNotWorked(span)) / 1_000));

/**
 * Returns the rounded seconds. Begin and end are rounded on the wall clock. Then breaks and idle time are subtracted,
 * and the duration is rounded. The stored times remain exact, so that rounding causes no overlaps.
 */
export function roundedSeconds(span: EntrySpan, rounding: Rounding | null): number {
  const { started_at, ended_at, timezone } = span;
  if (!rounding?.weekdays.includes(weekdayOf(dayAt(started_at.getTime(), timezone)))) return durationOf(span);
  const direction = DIRECTIONS[rounding.mode]!;
  const counted: EntrySpan = {
    ...span,
    started_at: roundClock(started_at, timezone, rounding.begin_minutes, direction.begin),
    ended_at: roundClock(ended_at, timezone, rounding.end_minutes, direction.end),
  };
  const seconds = durationOf(counted);
  const { duration_minutes } = rounding;
  return duration_minutes === 0 ? seconds : roundTo(seconds, duration_minutes * 60, direction.duration);
}
