/** Writes absences as an iCalendar file. */
import { daysAfter } from '@suite/time-zones';
import { calendarText, icalDay, icalMoment } from '../../time/calendars/calendar-file.ts';

/** Absence with the time of its last change. */
export interface Absence {
  id: string;
  title: string;
  from: string;
  to: string;
  half_day: string;
  starts_midday: boolean;
  ends_midday: boolean;
  /** RFC 3339 */
  updated_at: string;
}

const HALVES: Readonly<Record<string, string>> = { first: ' (morning)', second: ' (afternoon)' };

/** Half days are part of the title, because an event without a time covers whole days. */
const summaryOf = ({ title, half_day, starts_midday, ends_midday }: Absence): string => {
  const parts = [starts_midday ? 'from noon' : '', ends_midday ? 'until noon' : ''].filter(Boolean);
  return title + (HALVES[half_day] ?? (parts.length > 0 ? ` (${parts.join(', ')})` : ''));
};

/** Returns the text of a leave calendar file. */
export const leaveFile = (name: string, entries: readonly Absence[]): string =>
  calendarText(
    name,
    'Leave',
    entries.map((entry) => ({
      uid: `${entry.id}@leave.suite`,
      dtstamp: icalMoment(entry.updated_at),
      dtstart: icalDay(entry.from),
      dtend: icalDay(daysAfter(entry.to, 1)),
      summary: summaryOf(entry),
      transp: 'TRANSPARENT',
    })),
  );
