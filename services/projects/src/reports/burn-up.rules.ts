/** Burn-up of a project: its scope and the completed tasks, day by day. */
import { invalid } from '@suite/chassis/faults';

/** Maximum number of days in a burn-up: one year. */
const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Net number of tasks that entered the scope on a day, and of tasks that were completed. */
export interface ScopeChange {
  day: string;
  scope: number;
  completed: number;
}

/** Day of a burn-up. Future days have only the ideal. */
export interface BurnUpDay {
  day: string;
  scope: number | null;
  completed: number | null;
  ideal: number | null;
}

/** First and last day of a period. */
export interface BurnUpSpan {
  from: string;
  to: string;
}

/** Dates of a project that limit its burn-up. */
export interface ProjectDates {
  start_date: string | null;
  end_date: string | null;
  /** Day of creation. */
  created_on: string;
  is_over: boolean;
}

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
const laterOf = (one: string, other: string): string => (one > other ? one : other);

/**
 * Returns the days that a burn-up shows: the requested days, or the days of the project. Chosen: a project that
 * continues after its end is shown until today. If a project takes longer than a year, the last year is shown, unless
 * the caller requests days.
 * @throws a 422 for `to` if the last day is before the first, or too many days after
 */
export function burnUpSpanOf(
  { start_date, end_date, created_on, is_over }: ProjectDates,
  input: { from?: string | undefined; to?: string | undefined },
  today: string,
): BurnUpSpan {
  const begin = input.from ?? start_date ?? created_on;
  const end = end_date === null ? today : is_over ? end_date : laterOf(end_date, today);
  const to = input.to ?? laterOf(end, begin);
  const earliest = dayOf(numberOf(to) - DAYS_MAX + 1);
  const from = input.from ?? laterOf(to < begin ? to : begin, earliest);
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (from < earliest) throw invalid('to', `Choose at most ${DAYS_MAX} days.`);
  return { from, to };
}

/**
 * Returns the elapsed share of a project's duration on a day, or null for a project without an end.
 * @returns 0 on the first day, 1 on the last one and after it
 */
function shareOf(day: string, start: string, end: string | null): number | null {
  if (end === null) return null;
  const way = numberOf(end) - numberOf(start);
  if (way <= 0) return day < end ? 0 : 1;
  return Math.min(1, Math.max(0, (numberOf(day) - numberOf(start)) / way));
}

/**
 * Returns the days of a burn-up, from all scope changes since the start.
 *
 * Chosen: the ideal of a day is the elapsed share of the duration, multiplied by the scope on that day. While the scope
 * is constant, this is a straight line. Past values never change.
 */
export function burnUpOf(
  changes: readonly ScopeChange[],
  { from, to }: BurnUpSpan,
  { start_date, end_date, created_on }: ProjectDates,
  today: string,
): BurnUpDay[] {
  const sums = { scope: 0, completed: 0 };
  const ofDay = new Map<string, ScopeChange>();
  for (const change of changes) {
    if (change.day >= from) ofDay.set(change.day, change);
    else add(sums, change);
  }
  const days: BurnUpDay[] = [];
  for (let number = numberOf(from); number <= numberOf(to); number += 1) {
    const day = dayOf(number);
    add(sums, ofDay.get(day));
    const share = shareOf(day, start_date ?? created_on, end_date);
    const ideal = share === null ? null : Math.round(share * sums.scope * 100) / 100;
    const metrics = day > today ? { scope: null, completed: null } : { ...sums };
    days.push({ day, ...metrics, ideal });
  }
  return days;
}

function add(sums: { scope: number; completed: number }, change: ScopeChange | undefined): void {
  sums.scope += change?.scope ?? 0;
  sums.completed += change?.completed ?? 0;
}
