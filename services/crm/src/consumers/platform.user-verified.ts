import { UserVerified } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertUserStatus } from '../users/copy.ts';

/** Offers a user in forms once the address is verified. */
export const recordVerifiedUser = on(UserVerified, 'crm.note-verified-user', ({ event, envelope, db }) =>
  upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version),
);
