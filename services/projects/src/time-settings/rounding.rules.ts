/** How long an entry counts: its seconds as they were, and as an invoice has them. */
import { type Direction, dayIn, roundClock, roundTo, weekdayOf } from './wall-clock.rules.ts';

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
  if (!rounding?.weekdays.includes(weekdayOf(dayIn(started_at, timezone)))) return durationOf(span);
  const direction = DIRECTIONS[rounding.mode]!;
  const counted: Span = {
    ...span,
    started_at: roundClock(started_at, timezone, rounding.begin, direction.begin),
    ended_at: roundClock(ended_at, timezone, rounding.end, direction.end),
  };
  const seconds = durationOf(counted);
  return rounding.duration === 0 ? seconds : roundTo(seconds, rounding.duration * 60, direction.duration);
}
