/**
 * A day of attendance is derived: of its punches, its schedule and what the day is, by the rules of the specification's
 * "Deriving a day". Nothing here knows a database or what time it is.
 */
import type { ShiftTerms, WorkDay } from '../days/day.rules.ts';
import type { Schedule } from './schedule.rules.ts';

const MINUTE_MS = 60_000;
/** How long after its window a day without an out is closed, and from when on an out is a late one. */
export const CLOSING_MS = 5 * MINUTE_MS;

export type PunchType = 'in' | 'out' | 'break_start' | 'break_end';
export type Source = 'web' | 'mobile' | 'device' | 'admin';
export type Status = 'present' | 'absent' | 'half_day' | 'on_leave' | 'holiday' | 'weekly_off' | 'work_from_home';
export type Flag =
  | 'missing_out'
  | 'late_out'
  | 'outside_shift'
  | 'on_holiday'
  | 'auto_break'
  | 'corrected'
  | 'double_source';

/** A tap at a clock, in milliseconds since 1970. */
export interface Punch {
  type: PunchType;
  at: number;
  source: Source;
  work_from_home: boolean;
}

/** All that a day is derived of. */
export interface DayFacts {
  /** In their order. */
  punches: readonly Punch[];
  schedule: Schedule;
  terms: ShiftTerms;
  kind: WorkDay['kind'];
  leave: 'none' | 'half' | 'full';
  /** Whether the window and the minutes after it have passed: a session without an out ends by itself then. */
  is_over: boolean;
  /** The day began outside of its window, or was corrected. */
  given_flags: readonly Flag[];
}

/** A derived day. Minutes are whole; instants are as they were punched, seconds included. */
export interface DerivedDay {
  state: 'open' | 'closed';
  status: Status;
  first_in: number | null;
  last_out: number | null;
  worked_minutes: number;
  break_minutes: number;
  expected_minutes: number;
  late_minutes: number;
  early_minutes: number;
  overtime_minutes: number;
  flags: Flag[];
}

const minuteOf = (instant: number): number => Math.floor(instant / MINUTE_MS);

/** A presence: without an end it goes on. */
interface Session {
  from: number;
  until: number | null;
  breaks: { from: number; until: number | null }[];
}

/** Reads sessions and their breaks out of punches. Going out ends a break. */
export function sessionsOf(punches: readonly Punch[]): Session[] {
  const sessions: Session[] = [];
  for (const { type, at } of punches) {
    const session = sessions.at(-1);
    const pause = session?.breaks.at(-1);
    if (type === 'in') sessions.push({ from: at, until: null, breaks: [] });
    if (type === 'break_start') session?.breaks.push({ from: at, until: null });
    if (pause && pause.until === null && (type === 'break_end' || type === 'out')) pause.until = at;
    if (type === 'out' && session) session.until = at;
  }
  return sessions;
}

/** Whether punches are in order: in before out, breaks within. */
export function isInOrder(punches: readonly Pick<Punch, 'type' | 'at'>[]): boolean {
  let [inside, on_break, last] = [false, false, Number.NEGATIVE_INFINITY];
  for (const { type, at } of punches) {
    const fits = { in: !inside, out: inside, break_start: inside && !on_break, break_end: on_break }[type];
    if (!fits || at < last) return false;
    last = at;
    if (type === 'in' || type === 'out') [inside, on_break] = [type === 'in', false];
    else on_break = type === 'break_start';
  }
  return true;
}

/** Ends what has no end, at the end of the shift; of somebody who came later than that, when he came. */
function ended(sessions: readonly Session[], end: number): Session[] {
  return sessions.map((session) => {
    if (session.until !== null) return session;
    const last = Math.max(session.from, ...session.breaks.map(({ from, until }) => until ?? from));
    const until = Math.max(end, last);
    return { ...session, until, breaks: session.breaks.map((pause) => ({ ...pause, until: pause.until ?? until })) };
  });
}

const length = ({ from, until }: { from: number; until: number | null }): number =>
  until === null ? 0 : minuteOf(until) - minuteOf(from);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** The minutes of presence and of breaks. A long presence has at least the break of the shift. */
function minutesOf(sessions: readonly Session[], { break_after_minutes, break_minutes }: ShiftTerms) {
  const closed = sessions.filter(({ until }) => until !== null);
  const raw = sum(closed.map(length));
  const logged = sum(closed.flatMap(({ breaks }) => breaks.map(length)));
  const is_auto = raw > break_after_minutes && logged < break_minutes;
  const taken = Math.min(is_auto ? break_minutes : logged, raw);
  return { worked: raw - taken, taken, is_auto };
}

/** How the day counts. @param worked minutes; without limit for somebody who is still there */
function statusOf(worked: number, { terms, kind, leave, punches, is_over }: DayFacts): Status {
  if (leave === 'full') return 'on_leave';
  // Half a day of leave that is still to come is half a day; afterwards the other half counts only if it was worked.
  const isToCome = punches.length === 0 && !is_over;
  if (leave === 'half') return isToCome || (worked > 0 && worked >= terms.half_day_below) ? 'half_day' : 'on_leave';
  const isFree = kind === 'holiday' || kind === 'weekly_off';
  // Chosen: nobody is absent on a day off; who looked in for a moment has the day off.
  if (isFree && (punches.length === 0 || worked < Math.max(terms.absent_below, 1))) return kind;
  if (punches.length === 0 || worked < terms.absent_below) return 'absent';
  if (worked < terms.half_day_below) return 'half_day';
  return punches[0]?.work_from_home ? 'work_from_home' : 'present';
}

/** Minutes by which somebody came late and went early. Nothing is expected of a day off. */
function deviations(first: number, last: number | null, { schedule, terms }: DayFacts) {
  const late = minuteOf(first) - minuteOf(schedule.start);
  const early = last === null ? 0 : minuteOf(schedule.end) - minuteOf(last);
  return {
    late_minutes: late > terms.grace_late ? Math.max(late, 0) : 0,
    early_minutes: early > terms.grace_early ? Math.max(early, 0) : 0,
  };
}

const isFreeDay = (kind: WorkDay['kind']): boolean => kind === 'holiday' || kind === 'weekly_off';

/** The minutes that somebody is expected to work on a day. */
export const expectedOn = ({ schedule, terms, kind }: Pick<DayFacts, 'schedule' | 'terms' | 'kind'>): number =>
  isFreeDay(kind) ? 0 : Math.max(0, minuteOf(schedule.end) - minuteOf(schedule.start) - terms.break_minutes);

function overtimeOf(worked: number, expected: number, facts: DayFacts, is_missing: boolean): number {
  if (is_missing) return 0;
  if (isFreeDay(facts.kind)) return worked;
  const over = worked - expected;
  return over > 0 && over >= facts.terms.overtime_after_minutes ? over : 0;
}

/** The log of a machine and that of a person's own taps tell of the same presence. */
function isDouble(punches: readonly Punch[]): boolean {
  const sources = new Set(punches.map(({ source }) => source));
  return sources.has('device') && (sources.has('web') || sources.has('mobile'));
}

function flagsOf(
  facts: DayFacts,
  { is_missing, is_auto, worked }: Record<'is_missing' | 'is_auto', boolean> & { worked: number },
): Flag[] {
  const { punches, schedule, kind, given_flags } = facts;
  const lastOut = punches.findLast(({ type }) => type === 'out');
  const told: [Flag, boolean][] = [
    ['missing_out', is_missing],
    ['late_out', lastOut !== undefined && lastOut.at >= schedule.closes + CLOSING_MS],
    ['outside_shift', given_flags.includes('outside_shift')],
    ['on_holiday', kind === 'holiday' && worked > 0],
    ['auto_break', is_auto],
    ['corrected', given_flags.includes('corrected')],
    ['double_source', isDouble(punches)],
  ];
  return told.flatMap(([flag, holds]) => (holds ? [flag] : []));
}

/** Derives a day. Its punches are in order (`isInOrder`). */
export function deriveDay(facts: DayFacts): DerivedDay {
  const { punches, schedule, terms, is_over } = facts;
  const began = sessionsOf(punches);
  const is_going_on = began.some(({ until }) => until === null);
  const is_missing = is_going_on && is_over;
  const sessions = is_missing ? ended(began, schedule.end) : began;
  const is_open = is_going_on && !is_over;
  const { worked, taken, is_auto } = minutesOf(sessions, terms);
  const expected_minutes = expectedOn(facts);
  const first = sessions[0]?.from ?? null;
  const last = is_open ? null : (sessions.at(-1)?.until ?? null);
  const isMeasured = first !== null && !isFreeDay(facts.kind);
  return {
    state: is_open ? 'open' : 'closed',
    status: statusOf(is_open ? Number.POSITIVE_INFINITY : worked, facts),
    first_in: first,
    last_out: last,
    worked_minutes: worked,
    break_minutes: taken,
    expected_minutes,
    ...(isMeasured ? deviations(first, last, facts) : { late_minutes: 0, early_minutes: 0 }),
    overtime_minutes: is_open ? 0 : overtimeOf(worked, expected_minutes, facts, is_missing),
    flags: flagsOf(facts, { is_missing, is_auto, worked }),
  };
}
