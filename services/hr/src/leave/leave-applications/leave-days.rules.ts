/** Days of a leave request, each counted by the employee's shift and calendar on that day. */
import type { WorkDay } from '../../time/days/day.rules.ts';
import { daysText } from '../../employment/leave-ledger/holder.rules.ts';

/** Requested span. */
export interface RequestedSpan {
  from: string;
  to: string;
  half_day: string;
  starts_midday: boolean;
  ends_midday: boolean;
}

/** Counted day of leave, in hundredths. */
export interface CountedDay {
  day: string;
  days: number;
}

const WHOLE = 100;
const HALF = 50;

const sizeOf = ({ from, to, half_day, starts_midday, ends_midday }: RequestedSpan, day: string): number => {
  const isHalf = half_day !== 'none' || (starts_midday && day === from) || (ends_midday && day === to);
  return isHalf ? HALF : WHOLE;
};

/** Returns the days of a span that count: the working days, or all days if holidays are included. */
export const countedDays = (
  request: RequestedSpan,
  days: readonly WorkDay[],
  include_holidays: boolean,
): CountedDay[] =>
  days
    .filter(({ day }) => request.from <= day && day <= request.to)
    .filter(({ is_weekly_off, holiday }) => include_holidays || (!is_weekly_off && !holiday))
    .map(({ day }) => ({ day, days: sizeOf(request, day) }));

/** Returns the sum of some days, in hundredths. */
export const sumOf = (days: readonly Pick<CountedDay, 'days'>[]): number =>
  days.reduce((sum, { days: one }) => sum + one, 0);

/** Returns the days of a span that are charged to each year. */
export const daysByYear = (days: readonly CountedDay[]): Record<string, string> =>
  Object.fromEntries(
    [...Map.groupBy(days, ({ day }) => day.slice(0, 4))].map(([year, those]) => [year, daysText(sumOf(those))]),
  );

const EPOCH = Date.parse('2000-01-01T00:00:00Z');
const numberOf = (day: string): number => (Date.parse(`${day}T00:00:00Z`) - EPOCH) / 86_400_000;

/** Returns the half days of a span, counted from 2000-01-01 as in the database. The end is exclusive. */
export const halfDaysOf = ({ from, to, half_day, starts_midday, ends_midday }: RequestedSpan): [number, number] => [
  numberOf(from) * 2 + (half_day === 'second' || starts_midday ? 1 : 0),
  (numberOf(to) + 1) * 2 - (half_day === 'first' || ends_midday ? 1 : 0),
];

/** Returns the part of a span up to a given day. Used for leave that is cancelled from a later day on. */
export function spanUntil(request: RequestedSpan, to: string): RequestedSpan {
  const isOneDay = request.from === to;
  return {
    from: request.from,
    to,
    half_day: isOneDay && request.starts_midday ? 'second' : request.half_day,
    starts_midday: request.starts_midday && !isOneDay,
    ends_midday: false,
  };
}
