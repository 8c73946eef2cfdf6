/** The consumers that keep the copies as platform's users are. */
import type { consumers } from '@suite/chassis';
import { UserCreated, UserDisabled, UserEnabled, UserUpdated, UserVerified } from '@suite/proto/platform/v1/events';
import { type Copies, upsertUserProfile, upsertUserStatus } from './copy.ts';

/** Work that follows when somebody's address, or that it is theirs, has become known. */
type Follow<Db> = (db: Db, user_id: string) => Promise<unknown>;
const nothing = () => Promise.resolve();

/**
 * The consumers of a service that copies users: of new ones, of changes, and of who may sign in. What happens to the work of
 * somebody who was deleted is the service's own to say, with `upsertFormerUser` for the copy.
 * @param service names the durable subscriptions
 * @param follow the events come in any order: whichever is last finds both the address and that it is proved
 */
export function userFollowers<Db extends Copies>(
  on: ReturnType<typeof consumers<Db>>,
  service: string,
  follow: Follow<Db> = nothing,
) {
  return [
    on(UserCreated, `${service}.copy-created-user`, async ({ event, envelope, db }) => {
      await upsertUserProfile(db, event, envelope.aggregate_version);
      await follow(db, event.user_id);
    }),
    on(UserUpdated, `${service}.copy-updated-user`, async ({ event, envelope, db }) => {
      await upsertUserProfile(db, event, envelope.aggregate_version);
      await follow(db, event.user_id);
    }),
    on(UserVerified, `${service}.note-verified-user`, async ({ event, envelope, db }) => {
      await upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version);
      await follow(db, event.user_id);
    }),
    on(UserDisabled, `${service}.note-disabled-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'disabled', envelope.aggregate_version),
    ),
    on(UserEnabled, `${service}.note-enabled-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version),
    ),
  ];
}
