/** Which hours a calendar may have. */
import { timeOfDay } from './working-time.rules.ts';

type Spans = readonly (readonly string[])[] | undefined;

/** The fault of the hours of a week. @returns undefined when they are right */
export function hoursFault(hours: Readonly<Record<string, Spans>>): string | undefined {
  const days = Object.values(hours).map((spans) =>
    (spans ?? [])
      .map(([from = '', until = '']) => ({ from: timeOfDay(from), until: timeOfDay(until) }))
      .toSorted((one, other) => one.from - other.from),
  );
  if (days.every((spans) => spans.length === 0)) return 'Work at least once a week.';
  if (days.flat().some(({ from, until }) => from >= until)) return 'An interval ends after it begins.';
  const isOverlap = days.some((spans) => spans.some(({ from }, at) => at > 0 && spans[at - 1]!.until > from));
  return isOverlap ? 'The intervals of a day do not overlap.' : undefined;
}
