import { UserVerified } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertUserStatus } from '../users/copy.ts';

/** Whoever proved their address can be chosen in forms. */
export const recordVerifiedUser = on(UserVerified, 'crm.note-verified-user', ({ event, envelope, db }) =>
  upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version),
);
