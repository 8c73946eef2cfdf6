/** The consumers that keep the copies as platform's users are. */
import type { consumers } from '@suite/chassis';
import { UserCreated, UserDisabled, UserEnabled, UserUpdated, UserVerified } from '@suite/proto/platform/v1/events';
import { type Copies, upsertUserProfile, upsertUserStatus } from './copy.ts';

/**
 * The consumers of a service that copies users: of new ones, of changes, and of who may sign in. What happens to the work of
 * somebody who was deleted is the service's own to say, with `upsertFormerUser` for the copy.
 * @param service names the durable subscriptions
 */
export function userFollowers(on: ReturnType<typeof consumers<Copies>>, service: string) {
  return [
    on(UserCreated, `${service}.copy-created-user`, ({ event, envelope, db }) =>
      upsertUserProfile(db, event, envelope.aggregate_version),
    ),
    on(UserUpdated, `${service}.copy-updated-user`, ({ event, envelope, db }) =>
      upsertUserProfile(db, event, envelope.aggregate_version),
    ),
    on(UserVerified, `${service}.note-verified-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version),
    ),
    on(UserDisabled, `${service}.note-disabled-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'disabled', envelope.aggregate_version),
    ),
    on(UserEnabled, `${service}.note-enabled-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version),
    ),
  ];
}
