/** Period of a report. */
import { invalid } from '@suite/chassis/faults';

/** Maximum length of a report, in days: one year. */
const DAYS_MAX = 366;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** First and last day of a report. */
export interface DaySpan {
  from: string;
  to: string;
}

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/**
 * Returns the days of a report: the requested days, or the last thirty. Excludes future days.
 * @throws a 422 for `from` or `to` when the span is entirely in the future, or too long
 */
export function spanOf(requested: { from?: string | undefined; to?: string | undefined }, today: string): DaySpan {
  if (requested.from && requested.to && requested.to < requested.from)
    throw invalid('to', 'The last day must not be before the first day.');
  if (requested.from && requested.from > today)
    throw invalid('from', 'This day is in the future. Choose an earlier day.');
  const to = requested.to && requested.to < today ? requested.to : today;
  const from = requested.from ?? dayOf(numberOf(to) - DEFAULT_DAYS + 1);
  if (numberOf(to) - numberOf(from) >= DAYS_MAX) throw invalid('from', `Choose at most ${DAYS_MAX} days.`);
  return { from, to };
}

/** Returns each day of a span. */
export const daysInSpan = ({ from, to }: DaySpan): string[] =>
  Array.from({ length: numberOf(to) - numberOf(from) + 1 }, (_, at) => dayOf(numberOf(from) + at));
