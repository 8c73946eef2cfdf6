/**
 * The clock of one target of a ticket. Its intervals are the truth: what was used, what is left and when it is due are read
 * from them. A clock never looks at the time by itself; it is told. Instants and lengths are in milliseconds.
 */
import { dueAfter, type WorkingHours, workingTime } from '../calendars/working-time.rules.ts';

export type Target = 'first_response' | 'resolution' | 'next_response';

/** The terms of a target, as they were when the ticket came under it. */
export interface Terms {
  /** By which they are kept. */
  id: string;
  calendar: WorkingHours;
  length: number;
  warn_percent: number;
}

/** A time in which a clock ran, or stood still in a state that pauses it. */
export interface Interval {
  state: 'running' | 'paused';
  from: number;
  /** Null while it lasts. */
  until: number | null;
  /** The working time in it, by the terms of its time. */
  worked: number;
  terms_id: string | null;
}

export interface Clock {
  target: Target;
  /** Counts the clocks of one target: each reply of a customer may start another one. */
  run: number;
  /** Null where nothing is promised. */
  terms: Terms | null;
  intervals: readonly Interval[];
  met_at: number | null;
  breached_at: number | null;
  /** Ended without a verdict: the ticket was merged, is spam or gone. */
  ended: boolean;
}

const begun = (state: Interval['state'], at: number): Interval => ({
  state,
  from: at,
  until: null,
  worked: 0,
  terms_id: null,
});

export const startClock = (
  target: Target,
  run: number,
  terms: Terms | null,
  at: number,
  state: Interval['state'] = 'running',
): Clock => ({
  target,
  run,
  terms,
  intervals: [begun(state, at)],
  met_at: null,
  breached_at: null,
  ended: false,
});

/** The interval that lasts, if one does. */
export const lasting = ({ intervals }: Clock): Interval | undefined => intervals.find(({ until }) => until === null);

export const isRunning = (clock: Clock): boolean => lasting(clock)?.state === 'running';

/** The working time of the intervals that are over. */
const sumOf = ({ intervals }: Clock, state: Interval['state']): number =>
  intervals.reduce((sum, interval) => (interval.state === state ? sum + interval.worked : sum), 0);

/** The instant at which so much was used, or will be if the clock runs on. @returns null while it stands before that */
function reachedAt(clock: Clock, { calendar }: Terms, length: number): number | null {
  let left = length;
  for (const { state, from, until, worked } of clock.intervals) {
    if (state === 'paused') continue;
    if (until === null || worked >= left) return dueAfter(calendar, from, left);
    left -= worked;
  }
  return null;
}

/** When a running clock is due. Null while it stands, and where nothing is promised. */
export const dueOf = (clock: Clock): number | null =>
  clock.terms && isRunning(clock) ? reachedAt(clock, clock.terms, clock.terms.length) : null;

/** When a running clock has used as much as is warned of. */
export const warnAt = (clock: Clock): number | null =>
  clock.terms && isRunning(clock)
    ? reachedAt(clock, clock.terms, Math.floor((clock.terms.length * clock.terms.warn_percent) / 100))
    : null;

/** How a promise goes, or went. */
export type ClockState = 'running' | 'paused' | 'met' | 'missed' | 'none';

/** The figures of a clock, as far as it is known until an instant. */
export function figuresOf(clock: Clock, at: number) {
  const { terms, met_at, breached_at, ended } = clock;
  const open = lasting(clock);
  const worked = open && terms ? workingTime(terms.calendar, open.from, at) : 0;
  const used = sumOf(clock, 'running') + (open?.state === 'running' ? worked : 0);
  const paused = sumOf(clock, 'paused') + (open?.state === 'paused' ? worked : 0);
  const due = dueOf(clock);
  const late_since = breached_at ?? (due !== null && at > due ? due : null);
  const verdict: ClockState = late_since === null ? 'met' : 'missed';
  const state: ClockState = ended || !terms ? 'none' : met_at === null ? (open?.state ?? 'none') : verdict;
  return { state, due, used, paused, remaining: terms && Math.max(terms.length - used, 0), breached_at: late_since };
}

/** The same clock, late if its due is past: equal is kept. */
function judged(clock: Clock, at: number): Clock {
  const due = dueOf(clock);
  return due !== null && at > due && clock.breached_at === null ? { ...clock, breached_at: due } : clock;
}

/** The clock with its lasting interval closed. */
function closed(clock: Clock, at: number): Clock {
  const { terms } = clock;
  const close = (interval: Interval): Interval => {
    if (interval.until !== null) return interval;
    const worked = terms ? workingTime(terms.calendar, interval.from, at) : 0;
    return { ...interval, until: at, worked, terms_id: terms?.id ?? null };
  };
  return { ...judged(clock, at), intervals: clock.intervals.map(close) };
}

const opened = (clock: Clock, state: Interval['state'], at: number): Clock => ({
  ...clock,
  intervals: [...clock.intervals, begun(state, at)],
});

/** Lets a clock stand or run from an instant on. A clock that was met goes on with what was used. */
export const turnTo = (clock: Clock, state: Interval['state'], at: number): Clock =>
  clock.ended || lasting(clock)?.state === state ? clock : { ...opened(closed(clock, at), state, at), met_at: null };

/** Fulfils a target. */
export const meetClock = (clock: Clock, at: number): Clock =>
  clock.ended || clock.met_at !== null ? clock : { ...closed(clock, at), met_at: at };

/** Ends a clock without a verdict. */
export const endClock = (clock: Clock, at: number): Clock =>
  clock.ended || clock.met_at !== null ? clock : { ...closed(clock, at), ended: true };

/**
 * Puts a clock under other terms: with the same beginning and what it has used. A due that is past then is breached at the
 * moment of the change; a breach that was found before stays.
 */
export function putUnder(clock: Clock, terms: Terms | null, at: number): Clock {
  const open = lasting(clock);
  if (!open) return clock.ended || clock.met_at !== null ? clock : { ...clock, terms };
  const changed = { ...(open.from === at ? clock : opened(closed(clock, at), open.state, at)), terms };
  const due = dueOf(changed);
  return due !== null && at > due && changed.breached_at === null ? { ...changed, breached_at: at } : changed;
}
