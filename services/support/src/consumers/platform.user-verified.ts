import { UserCreated, UserUpdated, UserVerified } from '@suite/proto/platform/v1/events';
import { upsertUserProfile, upsertUserStatus } from '@suite/users';
import { on } from '../operations.ts';
import { linkRequester } from '../requesters/requester.ts';

/** The events come in any order: whichever is last finds both the address and that it is proved. */
export const linkVerifiedUser = on(UserVerified, 'support.link-verified-user', async ({ event, envelope, db }) => {
  await upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version);
  await linkRequester(db, event.user_id);
});
export const linkCreatedUser = on(UserCreated, 'support.link-created-user', async ({ event, envelope, db }) => {
  await upsertUserProfile(db, event, envelope.aggregate_version);
  await linkRequester(db, event.user_id);
});
export const linkUpdatedUser = on(UserUpdated, 'support.link-updated-user', async ({ event, envelope, db }) => {
  await upsertUserProfile(db, event, envelope.aggregate_version);
  await linkRequester(db, event.user_id);
});
