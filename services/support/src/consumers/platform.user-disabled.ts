import { UserDisabled } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { unassignTickets } from '../tickets/ticket-states/requester.ts';

/** Unassigns the tickets of a user who may not sign in. */
export const unassignDisabledUser = on(UserDisabled, 'support.unassign-disabled-user', ({ event, db, emit }) =>
  unassignTickets({ db, emit, caller: null }, event.user_id),
);
