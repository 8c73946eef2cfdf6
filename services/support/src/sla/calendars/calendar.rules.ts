/** Actions on support calendars. */
import { recordActions } from '@suite/chassis/operations';

export const calendarActions = recordActions('support_calendar', {
  update: 'workspace.update',
  delete: 'workspace.update',
});
