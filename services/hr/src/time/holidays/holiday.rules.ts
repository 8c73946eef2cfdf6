/** Rules for holidays that need no database. */
import { recordActions } from '@suite/chassis/operations';
import { fault, invalid } from '@suite/chassis/faults';
import { daysFrom } from '@suite/time-zones';

export const UnreadableCalendar = fault(
  422,
  'unreadable_calendar',
  'This iCalendar file cannot be read. Export it again, or import a smaller file.',
);

/** Chosen: company holidays last at most some weeks. A longer span is probably a wrong year. */
const DAYS_MAX = 92;

/** First and last day of a holiday. */
export interface HolidaySpan {
  from: string;
  to: string;
}

/** Checks the days of a holiday. @throws a 422 that names the field */
export function assertHolidaySpan({ from, to }: HolidaySpan): void {
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(from, to) >= DAYS_MAX) throw invalid('to', `A holiday can last at most ${DAYS_MAX} days.`);
}

/** Actions on holidays. */
export const holidayActions = recordActions('holiday', { update: 'holiday.update', delete: 'holiday.delete' });
