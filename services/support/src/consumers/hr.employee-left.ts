import { EmployeeLeft } from '@suite/proto/hr/v1/events';
import { on } from '../operations.ts';
import { unassignTickets } from '../tickets/ticket-states/requester.ts';

/** Unassigns the tickets of an employee after their last day. */
export const unassignLeaver = on(EmployeeLeft, 'support.unassign-leaver', async ({ event, db, emit }) => {
  if (event.user_id) await unassignTickets({ db, emit, caller: null }, event.user_id);
});
