/** Days for business records: a typing error in the year would otherwise open a wrong number series. */
import { clock } from '../runtime/clock.ts';
import { Day, Timestamp } from './fields.ts';

/**
 * The earliest accepted day. Chosen: business days range from 1900 to ten years ahead, which covers migrated books, plans
 * and due dates.
 */
const EARLIEST = '1900-01-01';
const YEARS_AHEAD = 10;

const latest = (): string => {
  const day = new Date(clock.now());
  day.setUTCFullYear(day.getUTCFullYear() + YEARS_AHEAD);
  return day.toISOString().slice(0, 10);
};

/** The latest planned day, often entered as "for ever". It is the same in every year. */
const LATEST_PLANNED = '2199-12-31';

/** Checks whether a day is in the range. Malformed days have already been rejected. */
const isWithin = (day: string, last: string): boolean =>
  !Day.safeParse(day).success || (day >= EARLIEST && day <= last);

/** A calendar day on which business can happen. Records are numbered by its year. */
export const BusinessDay = Day.refine((day) => isWithin(day, latest()), {
  error: `Enter a date between 1900 and ${YEARS_AHEAD} years from now.`,
});

/** Timestamp within the span for business records, for what people plan to the minute. */
export const BusinessMoment = Timestamp.refine((moment) => isWithin(String(moment).slice(0, 10), latest()), {
  error: `Enter a time between 1900 and ${YEARS_AHEAD} years from now.`,
});

/** A calendar day for a plan or the end of a validity period. */
export const PlannedDay = Day.refine((day) => isWithin(day, LATEST_PLANNED), {
  error: 'Enter a date between 1900 and 2199.',
});
