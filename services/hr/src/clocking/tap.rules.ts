/** The meaning of a tap: coming, going or a break, by what somebody tapped before. Instants are milliseconds since 1970. */
import { fault } from '@suite/chassis';
import { CLOSING_MS } from '../attendance-days/attendance-day.rules.ts';
import type { KeptPunch } from '../attendance-days/day-row.ts';
import { type PunchType, sessionsOf } from '../attendance-days/sessions.rules.ts';

export const NotClockedIn = fault(409, 'not_clocked_in', 'You have not clocked in.');
export const AlreadyClockedIn = fault(409, 'already_clocked_in', 'You have clocked in already.');
export const OnBreak = fault(409, 'already_on_break', 'You are on a break already.');
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
  /** The tap is one that was made already. */
  | { is: 'same'; punch: KeptPunch }
  /** It begins a session; a session that was never ended is over. */
  | { is: 'first'; left_open: boolean }
  | { is: 'next'; type: Exclude<PunchType, 'in'> };

/** Whether somebody is there, and on a break, after some punches. */
export function presenceAfter(punches: readonly KeptPunch[]): { inside: boolean; on_break: boolean } {
  const session = sessionsOf(punches).at(-1);
  const inside = session !== undefined && session.until === null;
  return { inside, on_break: inside && session.breaks.at(-1)?.until === null };
}

/**
 * Tells what a tap means. Without a type it toggles. A session belongs to its window: after it somebody comes anew, unless no
 * other window has opened yet, when he goes, late.
 * @throws NotClockedIn, AlreadyClockedIn, OnBreak, NotOnBreak
 */
export function meaningOf(at: number, type: PunchType | undefined, before: Before | undefined): Meaning {
  const last = before?.punches.at(-1);
  if (last && at - last.at < DOUBLE_MS && (type === undefined || type === last.type))
    return { is: 'same', punch: last };
  const { inside, on_break } = presenceAfter(before?.punches ?? []);
  const isOver = before !== undefined && at >= before.closes + CLOSING_MS;
  const isThere = inside && !isOver;
  const mayLeaveLate = inside && isOver && at < before.next_opens;
  const wanted = type ?? (isThere || mayLeaveLate ? 'out' : 'in');
  if (wanted === 'in') {
    if (isThere) throw AlreadyClockedIn();
    return { is: 'first', left_open: inside };
  }
  if (!isThere && !(wanted === 'out' && mayLeaveLate)) throw NotClockedIn();
  if (wanted === 'break_start' && on_break) throw OnBreak();
  if (wanted === 'break_end' && !on_break) throw NotOnBreak();
  return { is: 'next', type: wanted };
}
