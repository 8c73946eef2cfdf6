/**
 * Meaning of a punch: in, out or break, depending on the employee's earlier punches. Times are milliseconds since 1970.
 */
import { fault } from '@suite/chassis/faults';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import type { StoredPunch } from '../attendance-days/day-row.ts';
import { type PunchType, sessionsOf } from '../attendance-days/sessions.rules.ts';

export const NotClockedIn = fault(409, 'not_clocked_in', 'You have not clocked in. Clock in first.');
export const AlreadyClockedIn = fault(409, 'already_clocked_in', 'You have already clocked in. Clock out first.');
export const OnBreak = fault(409, 'already_on_break', 'You are already on a break. End it first.');
export const NotOnBreak = fault(409, 'not_on_break', 'You are not on a break. Start one first.');

/** Maximum distance between punches that count as one, unless their types differ. */
const DOUBLE_MS = 60_000;

/** Day of an employee's last punch before the current one. */
export interface PreviousPunches {
  /** Punches that count, up to the current one. */
  punches: readonly StoredPunch[];
  /** Closing time of the day's window, and opening time of the next day's window. */
  closes: number;
  next_opens: number;
}

export type PunchMeaning =
  /** The punch repeats an earlier punch. */
  | { is: 'same'; punch: StoredPunch }
  /** The punch begins a session. An earlier session without an end is over. */
  | { is: 'first'; left_open: boolean }
  /** The punch continues the day of the previous punch. */
  | { is: 'next'; type: PunchType }
  /** The punch has no session yet: the punch that begins it may arrive later. */
  | { is: 'stray'; type: PunchType };

/** Returns the presence after some punches: at work or not, on a break or not. */
export function presenceAfter(punches: readonly StoredPunch[]): { inside: boolean; on_break: boolean } {
  const session = sessionsOf(punches).at(-1);
  const inside = session !== undefined && session.until === null;
  return { inside, on_break: inside && session.breaks.at(-1)?.until === null };
}

/** Punch without its day. */
export interface UndatedPunch {
  at: number;
  /** Undefined for a toggle. */
  type: PunchType | undefined;
}

/** Checks if a punch repeats another one: both are within a minute, and no other type is requested. */
export const isRepeated = ({ at, type }: UndatedPunch, punch: StoredPunch): boolean =>
  Math.abs(at - punch.at) < DOUBLE_MS && (type === undefined || type === punch.type);

/** Returns why a punch contradicts the punches before it, or undefined. */
function contradictionOf(type: PunchType, is_there: boolean, on_break: boolean) {
  if (type === 'in') return is_there ? AlreadyClockedIn : undefined;
  if (!is_there) return NotClockedIn;
  if (type === 'break_start' && on_break) return OnBreak;
  return type === 'break_end' && !on_break ? NotOnBreak : undefined;
}

/**
 * Returns the presence at a time. A session belongs to its window. A later out is a late one, until the next window
 * opens.
 */
function presenceAt(at: number, before: PreviousPunches | undefined) {
  const { inside, on_break } = presenceAfter(before?.punches ?? []);
  const is_over = before !== undefined && at >= before.closes + CLOSING_MS;
  return { inside, on_break, is_there: inside && !is_over, leaves_late: inside && is_over && at < before.next_opens };
}

/** Interprets a punch that may contradict earlier punches, because others may still arrive. */
export function lateMeaningOf(
  { at, type }: UndatedPunch,
  before: PreviousPunches | undefined,
): Exclude<PunchMeaning, { is: 'same' }> {
  const { inside, is_there, leaves_late } = presenceAt(at, before);
  const requestedType = type ?? (is_there || leaves_late ? 'out' : 'in');
  if (requestedType === 'in') return is_there ? { is: 'next', type: 'in' } : { is: 'first', left_open: inside };
  const belongs = is_there || (before !== undefined && at < before.next_opens);
  return { is: belongs ? 'next' : 'stray', type: requestedType };
}

/**
 * Interprets a punch made now. A punch without a type toggles. After the window of a session, the punch begins the next
 * session. If no other window has opened yet, it is a late out.
 * @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak
 */
export function meaningOf(
  punch: UndatedPunch,
  before: PreviousPunches | undefined,
): Exclude<PunchMeaning, { is: 'same' }> {
  const { on_break, is_there, leaves_late } = presenceAt(punch.at, before);
  const { type } = punch;
  const wrong = type && !(type === 'out' && leaves_late) ? contradictionOf(type, is_there, on_break) : undefined;
  if (wrong) throw wrong();
  return lateMeaningOf(punch, before);
}
