/** Lifecycle of a meeting, and its permissions. */
import { invalid } from '@suite/chassis/faults';
import { lifecycle } from '@suite/chassis/operations';

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

/** Checks that a meeting ends after it starts. @throws a 422 */
export function assertEndAfterStart(start: Date | string, end: Date | string): void {
  if (new Date(end) <= new Date(start)) throw invalid('end', 'A meeting must end after it begins. Choose a later end.');
}
