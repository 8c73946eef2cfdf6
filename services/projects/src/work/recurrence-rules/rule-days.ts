/**
 * Days of a recurrence rule (RFC 5545, section 3.3.10), by calendar day. The work is bounded by the days between the
 * start and the end of the search. A rule that never occurs therefore costs as much as any other.
 */
const DAY_MS = 86_400_000;
const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'];

/** Weekday with its position in the month or year: `-1FR` is the last Friday. A null position means every one. */
interface Weekday {
  weekday: number;
  nth: number | null;
}

interface ParsedRule {
  freq: 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY';
  interval: number;
  count: number;
  until: string | undefined;
  by_day: Weekday[];
  by_month_day: number[];
  by_position: number[];
}

/** Returns the number of days since 1970-01-01. */
const numberOf = (day: string): number => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number): string => new Date(number * DAY_MS).toISOString().slice(0, 10);
/** Returns the number of a day. The month may be outside its year. */
const dayNumber = (year: number, month: number, day: number): number => Date.UTC(year, month, day) / DAY_MS;
/** Returns the weekday: 0 for Monday. */
const weekdayOf = (number: number): number => (((number + 3) % 7) + 7) % 7;

/** Reads a rule that has already been validated. */
function readRule(text: string): ParsedRule {
  const parts = new Map(text.split(';').map((part) => part.split('=', 2) as [string, string]));
  const numbersOf = (name: string) => parts.get(name)?.split(',').map(Number) ?? [];
  const until = parts.get('UNTIL');
  return {
    freq: parts.get('FREQ') as ParsedRule['freq'],
    interval: Number(parts.get('INTERVAL') ?? 1),
    count: Number(parts.get('COUNT') ?? Number.POSITIVE_INFINITY),
    until: until && `${until.slice(0, 4)}-${until.slice(4, 6)}-${until.slice(6, 8)}`,
    by_day: (parts.get('BYDAY')?.split(',') ?? []).map((word) => ({
      weekday: WEEKDAYS.indexOf(word.slice(-2)),
      nth: word.length > 2 ? Number(word.slice(0, -2)) : null,
    })),
    by_month_day: numbersOf('BYMONTHDAY'),
    by_position: numbersOf('BYSETPOS'),
  };
}

/** Maximum length of a period by frequency, in days. */
const PERIOD_DAYS = { DAILY: 1, WEEKLY: 7, MONTHLY: 31, YEARLY: 366 };

/** Range of days: the first day, and the first day after the range. */
type DayRange = readonly [from: number, until: number];

/** Returns the period of a rule, counted from the period of the start day. */
function periodOf({ freq, interval }: ParsedRule, start: number, index: number): DayRange {
  const date = new Date(start * DAY_MS);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  const step = index * interval;
  if (freq === 'DAILY') return [start + step, start + step + 1];
  const monday = start - weekdayOf(start) + step * 7;
  if (freq === 'WEEKLY') return [monday, monday + 7];
  if (freq === 'MONTHLY') return [dayNumber(year, month + step, 1), dayNumber(year, month + step + 1, 1)];
  return [dayNumber(year + step, 0, 1), dayNumber(year + step + 1, 0, 1)];
}

const isOneOf = (positions: readonly number[], position: number, length: number): boolean =>
  positions.includes(position) || positions.includes(position - length - 1);

/** Checks that a day is one of the weekdays. A position counts the same weekdays of the period from either end. */
function fitsWeekday({ by_day }: ParsedRule, number: number, [from, until]: DayRange): boolean {
  const before = Math.floor((number - from) / 7) + 1;
  const behind = Math.floor((until - 1 - number) / 7) + 1;
  return by_day.some(
    ({ weekday, nth }) => weekday === weekdayOf(number) && (nth === null || nth === before || nth === -behind),
  );
}

function fitsMonthDay({ by_month_day }: ParsedRule, number: number): boolean {
  const date = new Date(number * DAY_MS);
  const length = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  return isOneOf(by_month_day, date.getUTCDate(), length);
}

/** Checks that a day of a period fits the rule. A rule that names no days follows its start. */
function fitsRule(rule: ParsedRule, start: number, number: number, period: DayRange): boolean {
  const { freq, by_day, by_month_day } = rule;
  if (by_day.length > 0 || by_month_day.length > 0)
    return (
      (by_day.length === 0 || fitsWeekday(rule, number, period)) &&
      (by_month_day.length === 0 || fitsMonthDay(rule, number))
    );
  if (freq === 'DAILY') return true;
  if (freq === 'WEEKLY') return weekdayOf(number) === weekdayOf(start);
  const [day, first] = [dayOf(number), dayOf(start)];
  return freq === 'MONTHLY' ? day.slice(8) === first.slice(8) : day.slice(5) === first.slice(5);
}

/** Returns the days of a period that match a rule. */
function daysOf(rule: ParsedRule, start: number, period: DayRange): number[] {
  const [from, until] = period;
  const days: number[] = [];
  for (let number = from; number < until; number += 1) if (fitsRule(rule, start, number, period)) days.push(number);
  const { by_position } = rule;
  return by_position.length === 0 ? days : days.filter((_, index) => isOneOf(by_position, index + 1, days.length));
}

/** Returns the first period that can contain a day after `after`. A rule with a `COUNT` is counted from its start. */
const firstPeriod = ({ freq, interval, count }: ParsedRule, start: number, after: number): number =>
  count === Number.POSITIVE_INFINITY
    ? Math.max(0, Math.floor((after - start) / (PERIOD_DAYS[freq] * interval)) - 1)
    : 0;

/**
 * Returns the days of a rule after `after`, up to and including `until`.
 * @param text a rule of days, weeks, months or years whose parts have been checked
 * @param starts the day that the rule counts from
 */
export function ruleDays(text: string, starts: string, { after, until }: { after: string; until: string }): string[] {
  const rule = readRule(text);
  const [start, seen] = [numberOf(starts), numberOf(after)];
  const last = numberOf(rule.until && rule.until < until ? rule.until : until);
  const days: string[] = [];
  let occurred = 0;
  for (let index = firstPeriod(rule, start, seen); ; index += 1) {
    const period = periodOf(rule, start, index);
    // Stored rules with an impossible end have no last day.
    if (!(period[0] <= last)) return days;
    for (const number of daysOf(rule, start, period)) {
      if (number < start || number > last) continue;
      occurred += 1;
      if (occurred > rule.count) return days;
      if (number > seen) days.push(dayOf(number));
    }
  }
}
