/** Days on which business happens: a slip of the pen in a year would open a series of numbers that nobody wants. */
import { clock } from '../runtime/clock.ts';
import { Day, Timestamp } from './fields.ts';

/** Chosen: migrated books fit into this span, and so do plans and due dates. */
const EARLIEST = '1900-01-01';
const YEARS_AHEAD = 10;

const latest = (): string => {
  const day = new Date(clock.now());
  day.setUTCFullYear(day.getUTCFullYear() + YEARS_AHEAD);
  return day.toISOString().slice(0, 10);
};

/** A last day that people write for "for ever"; the same in every year. */
const LATEST_PLANNED = '2199-12-31';

/** A day that is malformed has been refused already. */
const isWithin = (day: string, last: string): boolean =>
  !Day.safeParse(day).success || (day >= EARLIEST && day <= last);

/** A calendar day within the span in which business is done: of what happens, and is numbered by its year. */
export const BusinessDay = Day.refine((day) => isWithin(day, latest()), {
  error: `Enter a day between 1900 and ${YEARS_AHEAD} years from now.`,
});

/** An instant within that span: of what people plan to the minute. */
export const BusinessMoment = Timestamp.refine((moment) => isWithin(String(moment).slice(0, 10), latest()), {
  error: `Enter a time between 1900 and ${YEARS_AHEAD} years from now.`,
});

/** A calendar day until which something is valid, or for which it is planned. */
export const PlannedDay = Day.refine((day) => isWithin(day, LATEST_PLANNED), {
  error: 'Enter a day between 1900 and 2199.',
});
