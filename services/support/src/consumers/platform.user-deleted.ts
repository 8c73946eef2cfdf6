import { UserDeleted } from '@suite/proto/platform/v1/events';
import { upsertFormerUser } from '@suite/user-copies';
import { on } from '../operations.ts';
import { eraseRequester, unassignTickets } from '../tickets/ticket-states/requester.ts';

/** Unassigns the tickets of a deleted user, and erases their personal data. */
export const eraseUser = on(UserDeleted, 'support.forget-user', async ({ event, envelope, db, emit }) => {
  await unassignTickets({ db, emit, caller: null }, event.user_id);
  await eraseRequester(db, event.user_id);
  await upsertFormerUser(db, event.user_id, envelope.position);
});
