/** The days that a report is about. */
import { invalid } from '@suite/chassis';

/** The most days of one report: a year. */
const DAYS_MAX = 366;
const USUAL_DAYS = 30;
const DAY_MS = 86_400_000;

/** The first and the last day of a report. */
export interface DaySpan {
  from: string;
  to: string;
}

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);

/**
 * The days of a report: those that were asked for, or the last thirty. Days to come are left out.
 * @throws a 422 for `from` or `to` when the span has no day that has come, or too many
 */
export function spanOf(asked: { from?: string | undefined; to?: string | undefined }, today: string): DaySpan {
  if (asked.from && asked.to && asked.to < asked.from)
    throw invalid('to', 'The last day must not be before the first day.');
  if (asked.from && asked.from > today) throw invalid('from', 'This day is in the future.');
  const to = asked.to && asked.to < today ? asked.to : today;
  const from = asked.from ?? dayOf(numberOf(to) - USUAL_DAYS + 1);
  if (numberOf(to) - numberOf(from) >= DAYS_MAX) throw invalid('from', `Choose at most ${DAYS_MAX} days.`);
  return { from, to };
}

/** Each day of a span. */
export const daysOf = ({ from, to }: DaySpan): string[] =>
  Array.from({ length: numberOf(to) - numberOf(from) + 1 }, (_, at) => dayOf(numberOf(from) + at));
