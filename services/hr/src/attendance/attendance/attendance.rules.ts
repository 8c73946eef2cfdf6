/** Rules for entering and correcting attendance days manually. */
import { recordActions } from '@suite/chassis/operations';
import { fault } from '@suite/chassis/faults';
import { isInOrder, type PunchType } from '../attendance-days/sessions.rules.ts';
import { dayOfPunch, scheduleOn, type ShiftTermsLookup } from '../attendance-days/schedule.rules.ts';
import { OutOfOrder } from '../attendance-days/attendance-day.ts';

export const AttendanceExists = fault(
  409,
  'attendance_exists',
  'This day already has an attendance record. Correct that record.',
);
export const HasPunches = fault(409, 'has_punches', 'This day has punches. Correct it instead of deleting it.');
export const BeforeJoining = fault(
  422,
  'before_joining',
  'This employee was not employed yet on that day. Choose a later date.',
);
export const AfterExit = fault(
  422,
  'after_exit',
  'This employee was no longer employed on that day. Choose an earlier date.',
);
export const InTheFuture = fault(422, 'in_the_future', 'This date is in the future. Choose an earlier one.');
export const PunchesOverlap = fault(
  422,
  'punches_overlap',
  'These times overlap with the punches of another day. Correct the times.',
);
export const AmbiguousTime = fault(
  422,
  'ambiguous_time',
  'This hour occurs twice. Enter the time with its UTC offset.',
);

/** Punch with its time as entered text. */
export interface PunchText {
  type: PunchType;
  at: string;
}

/** Times of a day in the short form. */
export interface ShortForm {
  first_in?: string | undefined;
  last_out?: string | undefined;
  break_minutes?: number | undefined;
}

const MINUTE_MS = 60_000;
const OFFSET = /(?:Z|[+-]\d\d:\d\d)$/;

/** Parses a time with its offset. @throws AmbiguousTime */
function instantOf(at: string, field: string): number {
  if (!OFFSET.test(at)) throw AmbiguousTime({ field });
  return Date.parse(at);
}

/** Manually entered punch. */
export interface EnteredPunch {
  type: PunchType;
  at: number;
}

/**
 * Reads punches or the short form, whose break is placed in the middle.
 * @throws AmbiguousTime, OutOfOrder, including for a break longer than the day
 */
export function punchesOf(
  written: readonly PunchText[] | undefined,
  { first_in, last_out, break_minutes = 0 }: ShortForm,
): EnteredPunch[] {
  const punches = written
    ? written.map(({ type, at }, index) => ({ type, at: instantOf(at, `punches.${index}.at`) }))
    : shortForm(
        instantOf(first_in!, 'first_in'),
        last_out === undefined ? null : instantOf(last_out, 'last_out'),
        break_minutes,
      );
  if (!isInOrder(punches)) throw OutOfOrder({ field: written ? 'punches' : 'last_out' });
  return punches;
}

function shortForm(first: number, last: number | null, break_minutes: number): EnteredPunch[] {
  const came = { type: 'in' as const, at: first };
  if (last === null) return [came];
  const pause = break_minutes * MINUTE_MS;
  if (pause >= last - first && pause > 0) throw OutOfOrder({ field: 'break_minutes' });
  const begins = first + Math.floor((last - first - pause) / 2 / MINUTE_MS) * MINUTE_MS;
  const middle: EnteredPunch[] =
    pause === 0
      ? []
      : [
          { type: 'break_start', at: begins },
          { type: 'break_end', at: begins + pause },
        ];
  return [came, ...middle, { type: 'out', at: last }];
}

/**
 * Checks that punches belong to one day and are in the past. @returns true if they are outside the window of the day
 */
export function assertOfDay(
  termsOn: ShiftTermsLookup,
  day: string,
  punches: readonly EnteredPunch[],
  now: number,
): { outside_shift: boolean } {
  if (punches.some(({ at }) => at > now)) throw InTheFuture({ field: 'punches' });
  const own = scheduleOn(termsOn, day);
  const comings = punches.filter(({ type }) => type === 'in');
  const found = comings.map(({ at }) => dayOfPunch(termsOn, at, termsOn(day)?.timezone ?? 'UTC'));
  const isElsewhere =
    found.some((one) => one?.schedule.day !== day) || punches.some(({ at }) => own && at >= own.next_opens);
  if (isElsewhere) throw PunchesOverlap({ field: 'punches' });
  return { outside_shift: found.some((one) => one?.outside_shift) };
}

/** Actions on attendances. */
export const attendanceActions = recordActions('attendance', {
  update: 'attendance.update',
  delete: 'attendance.delete',
});
