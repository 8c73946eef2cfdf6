import { UserEnabled } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertUserStatus } from '../users/copy.ts';

/** Offers an enabled user in forms again. */
export const recordEnabledUser = on(UserEnabled, 'crm.note-enabled-user', ({ event, envelope, db }) =>
  upsertUserStatus(db, event.user_id, 'active', envelope.aggregate_version),
);
