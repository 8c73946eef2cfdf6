/** Faults of holiday calendars. */
import { recordActions } from '@suite/chassis/operations';
import { fault } from '@suite/chassis/faults';

export const CalendarExists = fault(
  409,
  'calendar_exists',
  'This branch already has a holiday calendar. Update that calendar.',
);

/** Actions on holiday calendars. */
export const calendarActions = recordActions('holiday_calendar', {
  update: 'holiday.update',
  delete: { permission: 'holiday.delete', unless: 'is_default' },
});
