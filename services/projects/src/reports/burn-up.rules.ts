/** The burn-up of a project: its scope and what is completed of it, day by day. */
import { invalid } from '@suite/chassis';

/** The most days that a burn-up shows: a year. */
const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/** Tasks that came into the scope on a day, less those that left it, and likewise those that were completed. */
export interface ScopeChange {
  day: string;
  scope: number;
  completed: number;
}

/** A day of a burn-up. Days to come have no figures but the ideal. */
export interface BurnUpDay {
  day: string;
  scope: number | null;
  completed: number | null;
  ideal: number | null;
}

/** The first and the last day of something. */
export interface DaySpan {
  from: string;
  to: string;
}

/** The dates of a project, as far as they bound its burn-up. */
export interface ProjectDates {
  start_date: string | null;
  end_date: string | null;
  /** The day on which it was made. */
  created_on: string;
  is_over: boolean;
}

const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
const later = (one: string, other: string): string => (one > other ? one : other);

/**
 * The days that a burn-up shows: those that were asked for, or those of the project. Chosen: a project that goes on after its
 * end is shown until today, and of one that takes longer than a year the last year is shown, unless somebody asks for days.
 * @throws a 422 for `to` when the last day lies before the first, or too many days after it
 */
export function spanOf(
  { start_date, end_date, created_on, is_over }: ProjectDates,
  asked: { from?: string | undefined; to?: string | undefined },
  today: string,
): DaySpan {
  const begin = asked.from ?? start_date ?? created_on;
  const end = end_date === null ? today : is_over ? end_date : later(end_date, today);
  const to = asked.to ?? later(end, begin);
  const earliest = dayOf(numberOf(to) - DAYS_MAX + 1);
  const from = asked.from ?? later(to < begin ? to : begin, earliest);
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (from < earliest) throw invalid('to', `Choose at most ${DAYS_MAX} days.`);
  return { from, to };
}

/**
 * The share of the way from the first day of a project to its last, or null where it has no way.
 * @returns 0 on the first day, 1 on the last one and after it
 */
function shareOf(day: string, start: string, end: string | null): number | null {
  if (end === null) return null;
  const way = numberOf(end) - numberOf(start);
  if (way <= 0) return day < end ? 0 : 1;
  return Math.min(1, Math.max(0, (numberOf(day) - numberOf(start)) / way));
}

/**
 * The days of a burn-up, from all that has changed the scope since the beginning.
 *
 * Chosen: the ideal of a day is the share of the way on that day of the scope on that day: a straight line to the scope on the
 * last day as long as the scope stays, and what was ideal on a day that is past never changes.
 */
export function burnUpOf(
  changes: readonly ScopeChange[],
  { from, to }: DaySpan,
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
    const figures = day > today ? { scope: null, completed: null } : { ...sums };
    days.push({ day, ...figures, ideal });
  }
  return days;
}

function add(sums: { scope: number; completed: number }, change: ScopeChange | undefined): void {
  sums.scope += change?.scope ?? 0;
  sums.completed += change?.completed ?? 0;
}
