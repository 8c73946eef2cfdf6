/** The lifecycle of a meeting and its permissions. */
import { invalid, lifecycle } from '@suite/chassis';

export const meetingStates = lifecycle(
  'meeting',
  {
    planned: { hold: 'held', miss: 'not_held', cancel: 'cancelled' },
    held: {},
    not_held: {},
    cancelled: {},
  },
  {
    actions: {
      hold: 'meeting.update',
      miss: 'meeting.update',
      cancel: 'meeting.update',
      update: 'meeting.update',
      delete: 'meeting.delete',
    },
  },
);

/** @throws a 422 when it would end before it begins */
export function assertOrder(start: Date | string, end: Date | string): void {
  if (new Date(end) <= new Date(start)) throw invalid('end', 'A meeting ends after it has begun.');
}
