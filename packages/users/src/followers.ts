/** The consumers that keep the copies as platform's users are. */
import type { consumers } from '@suite/chassis';
import { UserCreated, UserDisabled, UserEnabled, UserUpdated, UserVerified } from '@suite/proto/platform/v1/events';
import type { Person } from './user.ts';
import { type Copies, upsertUserProfile, upsertUserStatus } from './copy.ts';

/** Work that follows when somebody's address, or that it is theirs, has become known. */
type Follow<Db> = (db: Db, user_id: string) => Promise<unknown>;
/** Keeps more of a profile than the copies have everywhere, where the copy is as the event with this number says. */
type Keep<Db> = (db: Db, person: Person, as_of: number) => Promise<unknown>;
/** Records that somebody has proved their address. It stays proved: another address counts only once it is proved, too. */
type Prove<Db> = (db: Db, user_id: string) => Promise<unknown>;

const nothing = () => Promise.resolve();

/**
 * The consumers of a service that copies users: of new ones, of changes, and of who may sign in. What happens to the work of
 * somebody who was deleted is the service's own to say, with `upsertFormerUser` for the copy.
 * @param service names the durable subscriptions
 * @param keep what else the service keeps of a profile; it leaves a copy alone whose `as_of` is another
 * @param prove records that the address is proved, before `follow`
 * @param follow the events come in any order: whichever is last finds both the address and that it is proved
 */
export function userFollowers<Db extends Copies>(
  on: ReturnType<typeof consumers<Db>>,
  service: string,
  follow: Follow<Db> = nothing,
  keep: Keep<Db> = nothing,
  prove: Prove<Db> = nothing,
) {
  const takeOver = async (db: Db, person: Person, as_of: number): Promise<void> => {
    await upsertUserProfile(db, person, as_of);
    await keep(db, person, as_of);
    if (person.email_verified) await prove(db, person.user_id);
    await follow(db, person.user_id);
  };
  return [
    on(UserCreated, `${service}.copy-created-user`, ({ event, envelope, db }) =>
      takeOver(db, event, envelope.aggregate_version),
    ),
    on(UserUpdated, `${service}.copy-updated-user`, ({ event, envelope, db }) =>
      takeOver(db, event, envelope.aggregate_version),
    ),
    on(UserVerified, `${service}.note-verified-user`, async ({ event, envelope, db }) => {
      await upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version);
      if (!event.vouched) await prove(db, event.user_id);
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
