import { UserVerified } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { keepStatus } from '../users/copy.ts';

/** Whoever proved their address can be chosen in forms. */
export const noteVerifiedUser = on(UserVerified, 'crm.note-verified-user', ({ event, envelope, db }) =>
  keepStatus(db, event.user_id, 'active', envelope.aggregate_version),
);
