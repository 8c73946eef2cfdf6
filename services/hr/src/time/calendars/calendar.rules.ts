/** Faults of holiday calendars. */
import { fault } from '@suite/chassis/faults';

export const CalendarExists = fault(
  409,
  'calendar_exists',
  'This branch already has a holiday calendar. Update that calendar.',
);
