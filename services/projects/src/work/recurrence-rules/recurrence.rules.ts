/** Recurrence of tasks: rules of RFC 5545, in calendar days. */
import { invalid } from '@suite/chassis/faults';
import { Day, midnight } from '@suite/chassis/fields';
import { ruleDays } from './rule-days.ts';

/** Stored recurrence rule, with the day that the rule counts from. */
export interface RecurrenceRule {
  rrule: string;
  ends?: string | undefined;
  starts: string;
}

/** Returns a rule in its stored form, with keys in the order of the database. */
export const storedSeries = (
  { rrule: text, ends }: { rrule: string; ends?: string | undefined },
  starts: string,
): RecurrenceRule => ({
  ...(ends && { ends }),
  rrule: text,
  starts,
});

const PARTS: Record<string, RegExp> = {
  FREQ: /^(DAILY|WEEKLY|MONTHLY|YEARLY)$/,
  INTERVAL: /^([1-9]\d{0,2})$/,
  COUNT: /^([1-9]\d{0,2})$/,
  UNTIL: /^\d{8}$/,
  BYDAY: /^([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)(,([+-]?[1-5])?(MO|TU|WE|TH|FR|SA|SU)){0,20}$/,
  BYMONTHDAY: /^-?([1-9]|[12]\d|3[01])(,-?([1-9]|[12]\d|3[01])){0,30}$/,
  BYSETPOS: /^-?[1-9]\d{0,2}(,-?[1-9]\d{0,2}){0,20}$/,
};

const partsOf = (text: string): [string, string][] =>
  text.split(';').map((part) => {
    const [name = '', value = ''] = part.split('=', 2);
    return [name, value];
  });

/** Rule parts that RFC 5545 does not allow together, or alone. */
const INVALID_PARTS = [
  /^(?=.*COUNT=).*UNTIL=/,
  /^(?=.*FREQ=WEEKLY).*BYMONTHDAY=/,
  /^(?=.*FREQ=(DAILY|WEEKLY)).*BYDAY=[^;]*\d/,
  /^(?=.*BYSETPOS=)(?!.*BY(MONTH)?DAY=)/,
];

/** Checks that a rule ever occurs. The calendar repeats after 28 years. */
function everOccurs(text: string): boolean {
  const endless = text.replaceAll(/;?(INTERVAL|COUNT|UNTIL)=[^;]*/g, '').replace(/^;/, '');
  return ruleDays(endless, '2000-01-01', { after: '1999-12-31', until: '2027-12-31' }).length > 0;
}

/** Checks that a value of `UNTIL` is a day of the calendar. */
const isDay = (value: string): boolean =>
  Day.safeParse(`${value.slice(0, 4)}-${value.slice(4, 6)}-${value.slice(6)}`).success;

/** Checks one part of a rule. */
const isPart = ([name, value]: [string, string]): boolean =>
  PARTS[name]?.test(value) === true && (name !== 'UNTIL' || isDay(value));

const isRule = (text: string): boolean => {
  const parts = partsOf(text);
  const names = new Set(parts.map(([name]) => name));
  const isWritten = names.size === parts.length && parts.every(isPart);
  return isWritten && names.has('FREQ') && !INVALID_PARTS.some((misfit) => misfit.test(text));
};

const dateOf = (day: string): Date => new Date(midnight(day));
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);
/** Number of years after which the search for a matching day ends. */
const HORIZON_YEARS = 20;

function plusYears(day: string, years: number): Date {
  const date = dateOf(day);
  date.setUTCFullYear(date.getUTCFullYear() + years);
  return date;
}

/** Returns the days of a series after one day, up to another. */
const daysBetween = ({ rrule, ends, starts }: RecurrenceRule, after: string, until: string): string[] =>
  ruleDays(rrule, starts, { after, until: ends && ends < until ? ends : until });

/**
 * Returns the next day of a series, and the skipped days. After a pause, only the latest missed day is used.
 * @param after the day of the present task
 * @returns undefined if the series has ended
 */
export function nextOccurrence(
  series: RecurrenceRule,
  after: string,
  today: string,
): { day: string; skipped: string[] } | undefined {
  const missed = after < today ? daysBetween(series, after, today) : [];
  const day = missed.at(-1);
  if (day) return { day, skipped: missed.slice(0, -1) };
  const from = after > today ? after : today;
  for (const years of [1, HORIZON_YEARS]) {
    const [next] = daysBetween(series, after, dayOf(plusYears(from, years)));
    if (next) return { day: next, skipped: [] };
  }
  return undefined;
}

/** Checks a recurrence rule. @throws a 422 for `recurrence.rrule` */
export function assertRule(text: string): void {
  if (!isRule(text))
    throw invalid('recurrence.rrule', 'Enter a daily or slower rule without times, such as FREQ=WEEKLY;BYDAY=MO.');
  if (!everOccurs(text)) throw invalid('recurrence.rrule', 'This rule never occurs. Change its days or its position.');
}
