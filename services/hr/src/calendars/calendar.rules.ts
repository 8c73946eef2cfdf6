/** Which calendars there can be. */
import { fault } from '@suite/chassis';

export const CalendarExists = fault(409, 'calendar_exists', 'This branch has a calendar of holidays already.');
