/** How long an entry counts: its seconds as they were, and as an invoice has them. */
import { dayAt, offsetAt, weekdayOf } from '@suite/wall-clock';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How numbers are rounded: down, up, or to the nearest, of which a tie goes down. */
type Direction = 'down' | 'up' | 'near';

/** Rounds to a multiple of a step. */
function roundTo(value: number, step: number, direction: Direction): number {
  const over = value % step;
  if (over === 0) return value;
  const isDown = direction === 'down' || (direction === 'near' && over * 2 <= step);
  return isDown ? value - over : value - over + step;
}

/**
 * Rounds an instant on the wall clock of a zone, at the offset that it has itself.
 * Chosen: to minutes counted from local midnight, so that steps which do not divide the hour do not depend on the zone.
 */
function roundClock(instant: Date, zone: string, minutes: number, direction: Direction): Date {
  if (minutes === 0) return instant;
  const offset = offsetAt(instant.getTime(), zone);
  const local = instant.getTime() + offset;
  const midnight = Math.floor(local / DAY_MS) * DAY_MS;
  return new Date(midnight + roundTo(local - midnight, minutes * MINUTE_MS, direction) - offset);
}

/** The modes of rounding, with the direction of the begin, the end and the duration. */
const DIRECTIONS: Readonly<Record<string, Record<'begin' | 'end' | 'duration', Direction>>> = {
  default: { begin: 'down', end: 'up', duration: 'up' },
  closest: { begin: 'near', end: 'near', duration: 'near' },
  floor: { begin: 'down', end: 'down', duration: 'down' },
  ceil: { begin: 'up', end: 'up', duration: 'up' },
};

/** A rounding rule. Minutes of 0 leave a part as it is. */
export interface Rounding {
  mode: string;
  begin: number;
  end: number;
  duration: number;
  /** Monday is 1. */
  weekdays: number[];
}

/** A part of time, with an end. */
export interface Interval {
  started_at: Date;
  ended_at: Date;
}

/** A finished entry, as far as its length depends on it. */
export interface Span extends Interval {
  timezone: string;
  breaks: readonly Interval[];
  idle_seconds: number;
  idle_discarded: boolean;
}

const lengthOf = ({ started_at, ended_at }: Interval): number => ended_at.getTime() - started_at.getTime();

/** The time of breaks and of discarded idleness, which is not worked. */
const unworked = ({ breaks, idle_seconds, idle_discarded }: Span): number =>
  breaks.reduce((all, one) => all + lengthOf(one), 0) + (idle_discarded ? idle_seconds * 1_000 : 0);

/** The seconds that were worked. */
export const durationOf = (span: Span): number => Math.max(0, Math.floor((lengthOf(span) - unworked(span)) / 1_000));

/**
 * The seconds that count. Begin and end are rounded on the wall clock, then breaks and idleness are taken off, then the
 * duration is rounded. The times themselves stay true, so that rounding makes no overlaps.
 */
export function roundedSeconds(span: Span, rounding: Rounding | null): number {
  const { started_at, ended_at, timezone } = span;
  if (!rounding?.weekdays.includes(weekdayOf(dayAt(started_at.getTime(), timezone)))) return durationOf(span);
  const direction = DIRECTIONS[rounding.mode]!;
  const counted: Span = {
    ...span,
    started_at: roundClock(started_at, timezone, rounding.begin, direction.begin),
    ended_at: roundClock(ended_at, timezone, rounding.end, direction.end),
  };
  const seconds = durationOf(counted);
  return rounding.duration === 0 ? seconds : roundTo(seconds, rounding.duration * 60, direction.duration);
}
