/**
 * SLA timer: the timer of one target of a ticket. Its intervals are authoritative: used time, remaining time and due
 * time derive from the intervals. A timer never reads the current time. Callers pass it in. Times and durations are in
 * milliseconds.
 */
import { dueAfter, type WorkingHours, workingTime } from '../calendars/working-time.rules.ts';

export type TargetKind = 'first_response' | 'resolution' | 'next_response';

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

export interface SlaTimer {
  target: TargetKind;
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

const newInterval = (state: TimerInterval['state'], at: number): TimerInterval => ({
  state,
  from: at,
  until: null,
  worked: 0,
  terms_id: null,
});

export const startTimer = (
  target: TargetKind,
  run: number,
  terms: SlaTarget | null,
  at: number,
  state: TimerInterval['state'] = 'running',
): SlaTimer => ({
  target,
  run,
  terms,
  intervals: [newInterval(state, at)],
  met_at: null,
  breached_at: null,
  ended: false,
});

/** Returns the open interval, if any. */
export const openInterval = ({ intervals }: SlaTimer): TimerInterval | undefined =>
  intervals.find(({ until }) => until === null);

export const isRunning = (clock: SlaTimer): boolean => openInterval(clock)?.state === 'running';

/** Returns the working time of the closed intervals. */
const workingTimeIn = ({ intervals }: SlaTimer, state: TimerInterval['state']): number =>
  intervals.reduce((sum, interval) => (interval.state === state ? sum + interval.worked : sum), 0);

/**
 * Returns the time at which this duration was used, or will be if the timer continues to run. @returns null if it is
 * paused before that
 */
function timeWhenUsed(clock: SlaTimer, { calendar }: SlaTarget, length: number): number | null {
  let left = length;
  for (const { state, from, until, worked } of clock.intervals) {
    if (state === 'paused') continue;
    if (until === null || worked >= left) return dueAfter(calendar, from, left);
    left -= worked;
  }
  return null;
}

/** Returns the due time of a running SLA timer. Null while it is paused, and without an SLA target. */
export const timerDueAt = (clock: SlaTimer): number | null =>
  clock.terms && isRunning(clock) ? timeWhenUsed(clock, clock.terms, clock.terms.length) : null;

/** Returns the time when a running timer reaches its warning threshold. */
export const warnAt = (clock: SlaTimer): number | null =>
  clock.terms && isRunning(clock)
    ? timeWhenUsed(clock, clock.terms, Math.floor((clock.terms.length * clock.terms.warn_percent) / 100))
    : null;

/** State of an SLA timer. */
export type TimerState = 'running' | 'paused' | 'met' | 'missed' | 'none';

/** Returns the values of an SLA timer at a given time. */
export function timerValues(clock: SlaTimer, at: number) {
  const { terms, met_at, breached_at, ended } = clock;
  const current = openInterval(clock);
  const worked = current && terms ? workingTime(terms.calendar, current.from, at) : 0;
  const used = workingTimeIn(clock, 'running') + (current?.state === 'running' ? worked : 0);
  const paused = workingTimeIn(clock, 'paused') + (current?.state === 'paused' ? worked : 0);
  const due = timerDueAt(clock);
  const breached_since = breached_at ?? (due !== null && at > due ? due : null);
  const verdict: TimerState = breached_since === null ? 'met' : 'missed';
  const state: TimerState = ended || !terms ? 'none' : met_at === null ? (current?.state ?? 'none') : verdict;
  return {
    state,
    due,
    used,
    paused,
    remaining: terms && Math.max(terms.length - used, 0),
    breached_at: breached_since,
  };
}

/** Returns the timer, breached if its due time has passed. A result at exactly the due time is in time. */
function withBreach(clock: SlaTimer, at: number): SlaTimer {
  const due = timerDueAt(clock);
  return due !== null && at > due && clock.breached_at === null ? { ...clock, breached_at: due } : clock;
}

/** Returns the timer with its open interval closed. */
function withIntervalClosed(clock: SlaTimer, at: number): SlaTimer {
  const { terms } = clock;
  const close = (interval: TimerInterval): TimerInterval => {
    if (interval.until !== null) return interval;
    const worked = terms ? workingTime(terms.calendar, interval.from, at) : 0;
    return { ...interval, until: at, worked, terms_id: terms?.id ?? null };
  };
  return { ...withBreach(clock, at), intervals: clock.intervals.map(close) };
}

const withNewInterval = (clock: SlaTimer, state: TimerInterval['state'], at: number): SlaTimer => ({
  ...clock,
  intervals: [...clock.intervals, newInterval(state, at)],
});

/** Pauses or resumes an SLA timer at a given time. A timer that was met continues with its used time. */
export const pauseOrResume = (clock: SlaTimer, state: TimerInterval['state'], at: number): SlaTimer =>
  clock.ended || openInterval(clock)?.state === state
    ? clock
    : { ...withNewInterval(withIntervalClosed(clock, at), state, at), met_at: null };

/** Meets a target. */
export const meetTimer = (clock: SlaTimer, at: number): SlaTimer =>
  clock.ended || clock.met_at !== null ? clock : { ...withIntervalClosed(clock, at), met_at: at };

/** Ends a timer without a result. */
export const endTimer = (clock: SlaTimer, at: number): SlaTimer =>
  clock.ended || clock.met_at !== null ? clock : { ...withIntervalClosed(clock, at), ended: true };

/**
 * Applies another policy version to a timer. Its start and used time are preserved. A due time in the past is breached
 * at the time of the change. An earlier breach remains.
 */
export function applySlaTarget(clock: SlaTimer, terms: SlaTarget | null, at: number): SlaTimer {
  const current = openInterval(clock);
  if (!current) return clock.ended || clock.met_at !== null ? clock : { ...clock, terms };
  const changed = {
    ...(current.from === at ? clock : withNewInterval(withIntervalClosed(clock, at), current.state, at)),
    terms,
  };
  const due = timerDueAt(changed);
  return due !== null && at > due && changed.breached_at === null ? { ...changed, breached_at: at } : changed;
}
