import { UserDeleted } from '@suite/proto/platform/v1/events';
import { upsertFormerUser } from '@suite/user-copies';
import { endMemberships } from '../projects/members/member.ts';
import { on } from '../operations.ts';

/** Ends the project memberships of a deleted user, and removes them as a client. */
export const endAllMemberships = on(UserDeleted, 'projects.end-memberships', async ({ event, envelope, db, emit }) => {
  await endMemberships({ db, emit, at: new Date(envelope.occurred_at) }, event.user_id);
  await upsertFormerUser(db, event.user_id, envelope.position);
  await db.user.updateMany({ where: { id: event.user_id }, data: { avatar_url: null } });
});
