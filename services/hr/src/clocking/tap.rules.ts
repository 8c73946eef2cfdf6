/** The meaning of a tap: coming, going or a break, by what somebody tapped before. Instants are milliseconds since 1970. */
import { fault } from '@suite/chassis';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import type { KeptPunch } from '../attendance-days/day-row.ts';
import { type PunchType, sessionsOf } from '../attendance-days/sessions.rules.ts';

export const NotClockedIn = fault(409, 'not_clocked_in', 'You have not clocked in. Clock in first.');
export const AlreadyClockedIn = fault(409, 'already_clocked_in', 'You have already clocked in. Clock out first.');
export const OnBreak = fault(409, 'already_on_break', 'You are already on a break.');
export const NotOnBreak = fault(409, 'not_on_break', 'You are not on a break.');

/** Taps so close to each other are one, unless somebody says that they are not. */
const DOUBLE_MS = 60_000;

/** The day of somebody's last punch before a tap. */
export interface Before {
  /** Those that count, up to the tap. */
  punches: readonly KeptPunch[];
  /** When its window closes, and when that of the next day opens. */
  closes: number;
  next_opens: number;
}

export type Meaning =
  /** The tap was made before. */
  | { is: 'same'; punch: KeptPunch }
  /** The tap begins a session. A session before it that was never ended is over. */
  | { is: 'first'; left_open: boolean }
  /** The tap continues the day of the punch before it. */
  | { is: 'next'; type: PunchType }
  /** The tap has no session: the punch that begins it may arrive later. */
  | { is: 'stray'; type: PunchType };

/** Whether an employee is at work, and on a break, after some punches. */
export function presenceAfter(punches: readonly KeptPunch[]): { inside: boolean; on_break: boolean } {
  const session = sessionsOf(punches).at(-1);
  const inside = session !== undefined && session.until === null;
  return { inside, on_break: inside && session.breaks.at(-1)?.until === null };
}

/** A tap without its day. */
export interface BareTap {
  at: number;
  /** Undefined for a tap that toggles. */
  type: PunchType | undefined;
}

/** Whether a tap repeats a punch: both are within a minute, and the tap does not ask for another type. */
export const isRepeated = ({ at, type }: BareTap, punch: KeptPunch): boolean =>
  Math.abs(at - punch.at) < DOUBLE_MS && (type === undefined || type === punch.type);

/** Returns why a tap contradicts the punches before it, if it does. */
function contradiction(type: PunchType, is_there: boolean, on_break: boolean) {
  if (type === 'in') return is_there ? AlreadyClockedIn : undefined;
  if (!is_there) return NotClockedIn;
  if (type === 'break_start' && on_break) return OnBreak;
  return type === 'break_end' && !on_break ? NotOnBreak : undefined;
}

/** A session belongs to its window: an out after it is a late one, until the next window opens. */
function standing(at: number, before: Before | undefined) {
  const { inside, on_break } = presenceAfter(before?.punches ?? []);
  const is_over = before !== undefined && at >= before.closes + CLOSING_MS;
  return { inside, on_break, is_there: inside && !is_over, leaves_late: inside && is_over && at < before.next_opens };
}

/** Reads a tap that may contradict the punches before it: others may still arrive. */
export function lateMeaningOf({ at, type }: BareTap, before: Before | undefined): Exclude<Meaning, { is: 'same' }> {
  const { inside, is_there, leaves_late } = standing(at, before);
  const wanted = type ?? (is_there || leaves_late ? 'out' : 'in');
  if (wanted === 'in') return is_there ? { is: 'next', type: 'in' } : { is: 'first', left_open: inside };
  const belongs = is_there || (before !== undefined && at < before.next_opens);
  return { is: belongs ? 'next' : 'stray', type: wanted };
}

/**
 * Reads a tap that is made now. Without a type it toggles. After the window of a session the tap begins the next one, unless no
 * other window has opened yet: then it is a late out.
 * @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak
 */
export function meaningOf(tap: BareTap, before: Before | undefined): Exclude<Meaning, { is: 'same' }> {
  const { on_break, is_there, leaves_late } = standing(tap.at, before);
  const { type } = tap;
  const wrong = type && !(type === 'out' && leaves_late) ? contradiction(type, is_there, on_break) : undefined;
  if (wrong) throw wrong();
  return lateMeaningOf(tap, before);
}
