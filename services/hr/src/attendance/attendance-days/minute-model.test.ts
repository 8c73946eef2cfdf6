import { describe, expect, test } from '@jest/globals';
import { wallClockAt } from '@suite/time-zones';
import fc from 'fast-check';
import type { ShiftTerms } from '../../time/days/day.rules.ts';
import { deriveDay } from './attendance-day.rules.ts';
import type { Punch } from './sessions.rules.ts';
import { dayOfPunch } from './schedule.rules.ts';

const MINUTE = 60_000;

/** Returns the wall-clock time of a zone, minute by minute, around a clock change. */
function wallClockOf(zone: string, around: string) {
  const begin = Date.parse(`${around}T00:00:00Z`) - 6 * 1_440 * MINUTE;
  const shown = Array.from({ length: 12 * 1_440 }, (_, at) => wallClockAt(begin + at * MINUTE, zone).slice(0, 16));
  const minutesOf = Map.groupBy(shown.keys(), (at) => shown[at]!);
  /** Returns the minutes that show a time. For a skipped time, returns the minute equally far after the gap. */
  const minutesShowing = (day: string, time: string): number[] => {
    const moment = `${day}T${time}`;
    const found = minutesOf.get(moment);
    if (found) return found;
    const behind = shown.findIndex((one, at) => at > 0 && one > moment && shown[at - 1]! < moment);
    const into = (Date.parse(`${moment}Z`) - Date.parse(`${shown[behind - 1]}Z`)) / MINUTE - 1;
    return [behind + into];
  };
  return { begin, shown, showing: minutesShowing };
}
type WallClock = ReturnType<typeof wallClockOf>;

const nextDay = (day: string) => new Date(Date.parse(`${day}T00:00:00Z`) + 1_440 * MINUTE).toISOString().slice(0, 10);

/** Returns the hours of a day's shift, as minutes of the walk. */
function hoursOf({ showing: minutesShowing }: WallClock, shift: ShiftTerms, day: string) {
  const start = Math.min(...minutesShowing(day, shift.start));
  const end = Math.max(...minutesShowing(shift.end <= shift.start ? nextDay(day) : day, shift.end));
  return { day, start, end: Math.max(end, start + 1) };
}

/**
 * Returns the shift whose window contains a minute. If the windows of two shifts overlap, each minute between them
 * belongs to the nearer shift.
 */
function windowAt(minute: number, walk: WallClock, shift: ShiftTerms, days: string[]) {
  const hours = days.map((day) => hoursOf(walk, shift, day));
  const includesMinute = (one: { start: number; end: number }, at: number) =>
    at >= one.start - shift.early_window_minutes && at < one.end + shift.late_window_minutes;
  for (const [at, after] of hours.entries()) {
    const before = hours[at - 1];
    if (!before || minute < before.start || minute >= after.end) continue;
    const shared = Array.from({ length: after.end - before.start }, (_, step) => before.start + step);
    if (!shared.some((one) => includesMinute(before, one) && includesMinute(after, one))) continue;
    // Within the hours of a shift, its border with the other adjacent shift may decide.
    const nearer = minute - before.end < after.start - minute ? before : after;
    const isBetween = minute >= Math.min(before.end, after.start) && minute < Math.max(before.end, after.start);
    if (isBetween) return nearer;
  }
  return (
    hours.find((one) => minute >= one.start && minute < one.end) ?? hours.find((one) => includesMinute(one, minute))
  );
}

const zones: [string, string][] = [
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2026-03-08'],
  ['Australia/Lord_Howe', '2026-04-05'],
  ['Australia/Lord_Howe', '2026-10-04'],
];

const time = fc.integer({ min: 0, max: 95 }).map((quarter) => {
  const minutes = quarter * 15;
  return `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
});
const integerUpTo = (max: number) => fc.integer({ min: 0, max });

/**
 * Returns the punches of a walk: in, optional breaks, out, optional second in. `lengths` are the minutes between
 * punches, `seconds` their seconds.
 */
function punchesOf(from: number, lengths: readonly number[], seconds: readonly number[], { begin }: WallClock) {
  const order: Punch['type'][] = ['in', 'break_start', 'break_end', 'out', 'in', 'out'];
  let minute = from;
  const storedPunches = lengths.map((length, at) => {
    if (at > 0) minute += length + 1;
    return { type: order[at]!, minute };
  });
  const punches = storedPunches.map(
    ({ type, minute: recorded }, at): Punch => ({
      type,
      source: 'web',
      work_from_home: false,
      at: begin + recorded * MINUTE + (seconds[at] ?? 0) * 1_000,
    }),
  );
  return { storedPunches, punches };
}

/** Counts minutes of presence and breaks until an end, in order. A running session has no worked minutes yet. */
function countMinutes({ storedPunches, isOpen, shift }: Omit<WorkedShift, 'own'>, end: number) {
  const counts = { present: 0, paused: 0, away: 0 };
  const isEnded = storedPunches.some(({ type }) => type === 'break_end');
  let [inside, paused, since] = [false, false, 0];
  for (let at = storedPunches[0]!.minute; at < end; at += 1) {
    for (const { type } of storedPunches.filter((punch) => punch.minute === at)) {
      if (type === 'in' || type === 'out') [inside, paused] = [type === 'in', false];
      else [paused, since] = [type === 'break_start', at];
    }
    const session = storedPunches.findLast((punch) => punch.type === 'in' && punch.minute <= at)!;
    const isClosed = !isOpen || storedPunches.some((punch) => punch.type === 'out' && punch.minute > session.minute);
    if (inside && isClosed) counts.present += 1;
    if (inside && isClosed && paused && (isEnded || at < since + shift.break_minutes)) counts.paused += 1;
    const isBack =
      storedPunches.some((punch) => punch.type === 'in' && punch.minute > at) && storedPunches.at(-1)!.type === 'out';
    if (!inside && (isBack || (!isOpen && storedPunches.at(-1)!.type === 'in'))) counts.away += 1;
  }
  return counts;
}

interface WorkedShift {
  shift: ShiftTerms;
  own: { start: number; end: number };
  storedPunches: readonly { type: Punch['type']; minute: number }[];
  isOpen: boolean;
}

/** Returns the counted totals of a day. */
function countedDay({ shift, own, storedPunches, isOpen }: WorkedShift) {
  const [first, last] = [storedPunches[0]!, storedPunches.at(-1)!];
  const isGoing = last.type !== 'out';
  const end = isGoing && !isOpen ? Math.max(own.end, last.minute) : last.minute;
  const { present, paused, away } = countMinutes({ storedPunches, isOpen, shift }, end);
  const missing = present > shift.break_after_minutes ? Math.max(shift.break_minutes - paused - away, 0) : 0;
  const taken = Math.min(paused + missing, present);
  const [worked, expected] = [present - taken, Math.max(0, own.end - own.start - shift.break_minutes)];
  const [late, early] = [first.minute - own.start, own.end - end];
  const over = worked - expected;
  const goesOn = isGoing && isOpen;
  return {
    state: goesOn ? 'open' : 'closed',
    worked_minutes: worked,
    break_minutes: taken,
    expected_minutes: expected,
    late_minutes: late > shift.grace_late_minutes ? late : 0,
    early_minutes: !goesOn && early > shift.grace_early_minutes ? early : 0,
    overtime_minutes: !isGoing && over > 0 && over >= shift.overtime_after_minutes ? over : 0,
    is_missing: isGoing && !isOpen,
  };
}

describe.each(zones)('in %s around %s', (zone, around) => {
  const walk = wallClockOf(zone, around);
  const days = [-5, -4, -3, -2, -1, 0, 1, 2, 3, 4].map((step) =>
    new Date(Date.parse(`${around}T00:00:00Z`) + step * 1_440 * MINUTE).toISOString().slice(0, 10),
  );
  const terms = fc.record({
    start: time,
    end: time,
    break_minutes: integerUpTo(60),
    grace_late_minutes: integerUpTo(20),
    grace_early_minutes: integerUpTo(20),
    half_day_below_minutes: integerUpTo(300),
    absent_below_minutes: integerUpTo(200),
    days: fc.constant<number[]>([1, 2, 3, 4, 5, 6, 7]),
    timezone: fc.constant(zone),
    early_window_minutes: integerUpTo(300),
    late_window_minutes: integerUpTo(400),
    break_after_minutes: integerUpTo(500),
    overtime_after_minutes: integerUpTo(60),
  });
  const steps = fc.array(integerUpTo(300), { minLength: 1, maxLength: 6 });

  const from = fc.integer({ min: 4 * 1_440, max: 7 * 1_440 });

  test('derives the same day as a minute-by-minute walk', () => {
    fc.assert(
      fc.property(
        terms,
        from,
        steps,
        fc.array(integerUpTo(59)),
        fc.boolean(),
        (shift, minute, lengths, seconds, isOpen) => {
          fc.pre(shift.start !== shift.end);
          const { storedPunches, punches } = punchesOf(minute, lengths, seconds, walk);
          const { schedule, outside_shift } = dayOfPunch(() => shift, punches[0]!.at, zone)!;
          const hours = windowAt(minute, walk, shift, days);
          const day = hours?.day ?? walk.shown[minute]!.slice(0, 10);
          expect([schedule.day, outside_shift]).toEqual([day, hours === undefined]);
          const facts = {
            punches,
            schedule,
            terms: shift,
            kind: 'work',
            leave: 'none',
            is_over: !isOpen,
            given_flags: [],
          } as const;
          const derived = deriveDay(facts);
          const own = hours ?? hoursOf(walk, shift, day);
          const { is_missing, ...figures } = countedDay({ shift, own, storedPunches, isOpen });
          expect(derived).toMatchObject(figures);
          expect(derived.flags.includes('missing_out')).toBe(is_missing);
        },
      ),
      { numRuns: 150 },
    );
  });
});
