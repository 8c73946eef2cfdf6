/**
 * SLA timer: the timer of one target of a ticket. Its intervals are authoritative: used time, remaining time and due
 * time derive from the intervals. A timer never reads the current time. Callers pass it in. Times and durations are in
 * milliseconds.
 */
import { dueAfter, type WorkingHours, workingTime } from '../calendars/working-time.rules.ts';

export type Target = 'first_response' | 'resolution' | 'next_response';

/** Terms of a target at the time the policy version first applied to the ticket. */
export interface SlaTarget {
  /** ID of the stored policy version. */
  id: string;
  calendar: WorkingHours;
  length: number;
  warn_percent: number;
}

/** Interval in which a timer ran or was paused. */
export interface TimerInterval {
  state: 'running' | 'paused';
  from: number;
  /** End of the interval. Null while it is running. */
  until: number | null;
  /** Working time of the interval, by the policy version in effect. */
  worked: number;
  terms_id: string | null;
}

export interface Clock {
  target: Target;
  /** Sequence number of the timers for one target. Each customer reply can start another timer. */
  run: number;
  /** Null without an SLA target. */
  terms: SlaTarget | null;
  intervals: readonly TimerInterval[];
  met_at: number | null;
  breached_at: number | null;
  /** Ended without a result: the ticket was merged, marked as spam or deleted. */
  ended: boolean;
}

const begun = (state: TimerInterval['state'], at: number): TimerInterval => ({
  state,
  from: at,
  until: null,
  worked: 0,
  terms_id: null,
});

export const startClock = (
  target: Target,
  run: number,
  terms: SlaTarget | null,
  at: number,
  state: TimerInterval['state'] = 'running',
): Clock => ({
  target,
  run,
  terms,
  intervals: [begun(state, at)],
  met_at: null,
  breached_at: null,
  ended: false,
});

/** Returns the open interval, if any. */
export const lasting = ({ intervals }: Clock): TimerInterval | undefined =>
  intervals.find(({ until }) => until === null);

export const isRunning = (clock: Clock): boolean => lasting(clock)?.state === 'running';

/** Returns the working time of the closed intervals. */
const sumOf = ({ intervals }: Clock, state: TimerInterval['state']): number =>
  intervals.reduce((sum, interval) => (interval.state === state ? sum + interval.worked : sum), 0);

/**
 * Returns the time at which this duration was used, or will be if the timer continues to run. @returns null if it is
 * paused before that
 */
function reachedAt(clock: Clock, { calendar }: SlaTarget, length: number): number | null {
  let left = length;
  for (const { state, from, until, worked } of clock.intervals) {
    if (state === 'paused') continue;
    if (until === null || worked >= left) return dueAfter(calendar, from, left);
    left -= worked;
  }
  return null;
}

/** Returns the due time of a running SLA timer. Null while it is paused, and without an SLA target. */
export const timerDueAt = (clock: Clock): number | null =>
  clock.terms && isRunning(clock) ? reachedAt(clock, clock.terms, clock.terms.length) : null;

/** Returns the time when a running timer reaches its warning threshold. */
export const warnAt = (clock: Clock): number | null =>
  clock.terms && isRunning(clock)
    ? reachedAt(clock, clock.terms, Math.floor((clock.terms.length * clock.terms.warn_percent) / 100))
    : null;

/** State of an SLA timer. */
export type ClockState = 'running' | 'paused' | 'met' | 'missed' | 'none';

/** Returns the values of an SLA timer at a given time. */
export function timerValues(clock: Clock, at: number) {
  const { terms, met_at, breached_at, ended } = clock;
  const open = lasting(clock);
  const worked = open && terms ? workingTime(terms.calendar, open.from, at) : 0;
  const used = sumOf(clock, 'running') + (open?.state === 'running' ? worked : 0);
  const paused = sumOf(clock, 'paused') + (open?.state === 'paused' ? worked : 0);
  const due = timerDueAt(clock);
  const late_since = breached_at ?? (due !== null && at > due ? due : null);
  const verdict: ClockState = late_since === null ? 'met' : 'missed';
  const state: ClockState = ended || !terms ? 'none' : met_at === null ? (open?.state ?? 'none') : verdict;
  return { state, due, used, paused, remaining: terms && Math.max(terms.length - used, 0), breached_at: late_since };
}

/** Returns the timer, breached if its due time has passed. A result at exactly the due time is in time. */
function judged(clock: Clock, at: number): Clock {
  const due = timerDueAt(clock);
  return due !== null && at > due && clock.breached_at === null ? { ...clock, breached_at: due } : clock;
}

/** Returns the timer with its open interval closed. */
function closed(clock: Clock, at: number): Clock {
  const { terms } = clock;
  const close = (interval: TimerInterval): TimerInterval => {
    if (interval.until !== null) return interval;
    const worked = terms ? workingTime(terms.calendar, interval.from, at) : 0;
    return { ...interval, until: at, worked, terms_id: terms?.id ?? null };
  };
  return { ...judged(clock, at), intervals: clock.intervals.map(close) };
}

const opened = (clock: Clock, state: TimerInterval['state'], at: number): Clock => ({
  ...clock,
  intervals: [...clock.intervals, begun(state, at)],
});

/** Pauses or resumes an SLA timer at a given time. A timer that was met continues with its used time. */
export const pauseOrResume = (clock: Clock, state: TimerInterval['state'], at: number): Clock =>
  clock.ended || lasting(clock)?.state === state ? clock : { ...opened(closed(clock, at), state, at), met_at: null };

/** Meets a target. */
export const meetClock = (clock: Clock, at: number): Clock =>
  clock.ended || clock.met_at !== null ? clock : { ...closed(clock, at), met_at: at };

/** Ends a timer without a result. */
export const endClock = (clock: Clock, at: number): Clock =>
  clock.ended || clock.met_at !== null ? clock : { ...closed(clock, at), ended: true };

/**
 * Applies another policy version to a timer. Its start and used time are preserved. A due time in the past is breached
 * at the time of the change. An earlier breach remains.
 */
export function putUnder(clock: Clock, terms: SlaTarget | null, at: number): Clock {
  const open = lasting(clock);
  if (!open) return clock.ended || clock.met_at !== null ? clock : { ...clock, terms };
  const changed = { ...(open.from === at ? clock : opened(closed(clock, at), open.state, at)), terms };
  const due = timerDueAt(changed);
  return due !== null && at > due && changed.breached_at === null ? { ...changed, breached_at: at } : changed;
}
