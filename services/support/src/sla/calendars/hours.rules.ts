/** Rules for the hours of a calendar. */
import { timeOfDay } from './working-time.rules.ts';

type DayHours = readonly (readonly string[])[] | undefined;

/** Returns the error in weekly working hours. @returns undefined if they are valid */
export function hoursFault(hours: Readonly<Record<string, DayHours>>): string | undefined {
  const days = Object.values(hours).map((spans) =>
    (spans ?? [])
      .map(([from = '', until = '']) => ({ from: timeOfDay(from), until: timeOfDay(until) }))
      .toSorted((one, other) => one.from - other.from),
  );
  if (days.every((spans) => spans.length === 0)) return 'Enter working time on at least one day.';
  if (days.flat().some(({ from, until }) => from >= until)) return 'An interval must end after it begins.';
  const isOverlap = days.some((spans) => spans.some(({ from }, at) => at > 0 && spans[at - 1]!.until > from));
  return isOverlap ? 'Intervals of a day must not overlap.' : undefined;
}
