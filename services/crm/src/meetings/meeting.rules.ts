/** What may happen to a meeting, and who may do it. */
import { type Caller, invalid, lifecycle } from '@suite/chassis';
import { permitted } from '../transitions.ts';

export const meetingStates = lifecycle('meeting', {
  planned: { hold: 'held', miss: 'not_held', cancel: 'cancelled' },
  held: {},
  not_held: {},
  cancelled: {},
});

const PERMISSIONS: Record<string, string> = {
  ...{ hold: 'meeting.update', miss: 'meeting.update', cancel: 'meeting.update', update: 'meeting.update' },
  delete: 'meeting.delete',
};

/** What the caller may do with a meeting in a state. */
export const meetingActions = (caller: Caller, status: string): string[] =>
  permitted(caller, [...meetingStates.allowed(status), 'update', 'delete'], PERMISSIONS);

/** @throws a 422 when it would end before it begins */
export function assertOrder(start: Date | string, end: Date | string): void {
  if (new Date(end) <= new Date(start)) throw invalid('end', 'A meeting ends after it has begun.');
}
