/** Consumers that update the copies from platform's user events. */
import type { consumers } from '@suite/chassis/service';
import { UserCreated, UserDisabled, UserEnabled, UserUpdated, UserVerified } from '@suite/proto/platform/v1/events';
import type { PlatformUser } from './user.ts';
import { upsertUserProfile, upsertUserStatus } from './copy.ts';
import type { UserCopies } from './user.ts';

/** Follow-up work when a user's address or its verification becomes known. */
type Follow<Db> = (db: Db, user_id: string) => Promise<unknown>;
/** Stores further profile fields, if the copy has the version of this event. */
type Keep<Db> = (db: Db, person: PlatformUser, as_of: number) => Promise<unknown>;
/**
 * Records that a user has verified their address. It stays verified: another address counts only after its own
 * verification.
 */
type Prove<Db> = (db: Db, user_id: string) => Promise<unknown>;

const nothing = () => Promise.resolve();

/**
 * Creates the consumers of a service that copies users: for new users, changes, and status. Each service decides what
 * happens to the work of a deleted user, with `upsertFormerUser` for the copy.
 * @param service names the durable subscriptions
 * @param keep stores further fields of the profile. It leaves a copy with another `as_of` unchanged
 * @param prove records that the address is verified, before `follow`
 * @param follow runs in any order of the events: the last event finds both the address and its verification
 */
export function userFollowers<Db extends UserCopies>(
  on: ReturnType<typeof consumers<Db>>,
  service: string,
  follow: Follow<Db> = nothing,
  keep: Keep<Db> = nothing,
  prove: Prove<Db> = nothing,
) {
  const takeOver = async (db: Db, person: PlatformUser, as_of: number): Promise<void> => {
    await upsertUserProfile(db, person, as_of);
    await keep(db, person, as_of);
    if (person.email_verified) await prove(db, person.user_id);
    await follow(db, person.user_id);
  };
  return [
    on(UserCreated, `${service}.copy-created-user`, ({ event, envelope, db }) =>
      takeOver(db, event, envelope.position),
    ),
    on(UserUpdated, `${service}.copy-updated-user`, ({ event, envelope, db }) =>
      takeOver(db, event, envelope.position),
    ),
    on(UserVerified, `${service}.note-verified-user`, async ({ event, envelope, db }) => {
      await upsertUserStatus(db, event.user_id, 'active', envelope.position);
      if (!event.vouched) await prove(db, event.user_id);
      await follow(db, event.user_id);
    }),
    on(UserDisabled, `${service}.note-disabled-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'disabled', envelope.position),
    ),
    on(UserEnabled, `${service}.note-enabled-user`, ({ event, envelope, db }) =>
      upsertUserStatus(db, event.user_id, 'active', envelope.position),
    ),
  ];
}
