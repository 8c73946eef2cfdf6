/** Faults of a connection to a calendar server. */
import { fault } from '@suite/chassis/faults';

export const CalendarRequired = fault(
  422,
  'choose_calendar',
  'The server has several calendars for tasks. Choose one.',
);
