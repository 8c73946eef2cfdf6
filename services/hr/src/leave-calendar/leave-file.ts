/** Writes who is away as an iCalendar. */
import { daysAfter } from '@suite/wall-clock';
import { calendarText, icalDay, icalMoment } from '../calendar-files/calendar-file.ts';

/** A person who is away, with when it was said last. */
export interface AwayEntry {
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

/** The halves of a day are words: an event without a time of day is one of whole days. */
const summaryOf = ({ title, half_day, starts_midday, ends_midday }: AwayEntry): string => {
  const parts = [starts_midday ? 'from noon' : '', ends_midday ? 'until noon' : ''].filter(Boolean);
  return title + (HALVES[half_day] ?? (parts.length > 0 ? ` (${parts.join(', ')})` : ''));
};

/** The text of a calendar of leave. */
export const leaveFile = (name: string, entries: readonly AwayEntry[]): string =>
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
