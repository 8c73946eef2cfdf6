/** The refusals of a connection to a calendar server. */
import { fault } from '@suite/chassis';

export const ChooseCalendar = fault(
  422,
  'choose_calendar',
  'There are several calendars for tasks. Name one as `calendar_url`.',
);
