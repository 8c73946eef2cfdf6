/** Sessions of presence and their breaks, derived from punches. Times are milliseconds since 1970. */
import type { ShiftTerms } from '../../time/days/day.rules.ts';

export const MINUTE_MS = 60_000;
export const minuteOf = (instant: number): number => Math.floor(instant / MINUTE_MS);

export type PunchType = 'in' | 'out' | 'break_start' | 'break_end';
export type PunchSource = 'web' | 'mobile' | 'device' | 'admin';
/** Punch, with its time in milliseconds since 1970. */
export interface Punch {
  type: PunchType;
  at: number;
  source: PunchSource;
  work_from_home: boolean;
}

interface Break {
  from: number;
  until: number | null;
  /** True if no punch ended the break and the shift's break length did. */
  is_cut?: boolean;
}

/** Presence between clock-in and clock-out. Without an end, the session is still running. */
interface Session {
  from: number;
  until: number | null;
  breaks: Break[];
}

/** Ends a break without an end punch, at the end of the session or after the shift's break length. */
function endBreak(pause: Break, until: number, break_ms: number): void {
  const most = pause.from + break_ms;
  pause.is_cut = most < until;
  pause.until = Math.min(until, most);
}

/**
 * Reads sessions and their breaks from punches. An out ends a break. A break without an end punch lasts at most
 * `break_ms`. An out or a break without a session before it is ignored, because its matching punch may arrive later.
 */
export function sessionsOf(
  punches: readonly Pick<Punch, 'type' | 'at'>[],
  break_ms = Number.POSITIVE_INFINITY,
): Session[] {
  const sessions: Session[] = [];
  for (const { type, at } of punches) {
    const last = sessions.at(-1);
    const session = last?.until === null ? last : undefined;
    const pause = session?.breaks.at(-1);
    if (type === 'in' && !session) sessions.push({ from: at, until: null, breaks: [] });
    if (type === 'break_start' && pause?.until !== null) session?.breaks.push({ from: at, until: null });
    if (pause?.until === null && type === 'break_end') pause.until = at;
    if (pause?.until === null && type === 'out') endBreak(pause, at, break_ms);
    if (type === 'out' && session) session.until = at;
  }
  return sessions;
}

/** Checks that punches are in order: in before out, breaks within. */
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

/**
 * Ends running sessions and breaks at the end of the shift. For an employee who came later, the end is the clock-in.
 */
export function endAttendanceSessions(sessions: readonly Session[], end: number, break_ms: number): Session[] {
  return sessions.map((session) => {
    if (session.until !== null) return session;
    const last = Math.max(session.from, ...session.breaks.map(({ from, until }) => until ?? from));
    const until = Math.max(end, last);
    for (const pause of session.breaks) if (pause.until === null) endBreak(pause, until, break_ms);
    return { ...session, until };
  });
}

const length = ({ from, until }: { from: number; until: number | null }): number =>
  until === null ? 0 : minuteOf(until) - minuteOf(from);
const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

/** Returns the minutes between sessions, when the employee was out. */
const gapsOf = (sessions: readonly Session[]): number =>
  sum(sessions.slice(1).map(({ from }, at) => length({ from: sessions[at]!.until ?? from, until: from })));

/**
 * Returns the minutes of presence and of breaks. A long presence includes at least the shift's break. Punched breaks
 * and the time between sessions count towards that break.
 */
export function minutesOf(sessions: readonly Session[], { break_after_minutes, break_minutes }: ShiftTerms) {
  const closed = sessions.filter(({ until }) => until !== null);
  const raw = sum(closed.map(length));
  const logged = sum(closed.flatMap(({ breaks }) => breaks.map(length)));
  const missing = raw > break_after_minutes ? Math.max(break_minutes - logged - gapsOf(closed), 0) : 0;
  const taken = Math.min(logged + missing, raw);
  return { worked: raw - taken, taken, is_auto: missing > 0 };
}

/** Returns which punches lack a partner: an out or a break before an in, or an in before the previous session's out. */
export function unpairedOf(punches: readonly Punch[]): { is_without_in: boolean; is_without_out: boolean } {
  let [inside, is_without_in, is_without_out] = [false, false, false];
  for (const { type } of punches) {
    if (type === 'in') is_without_out ||= inside;
    else is_without_in ||= !inside;
    inside = type === 'in' || (inside && type !== 'out');
  }
  return { is_without_in, is_without_out };
}
