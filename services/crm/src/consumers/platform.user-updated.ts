import { UserUpdated } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertUserProfile } from '../users/copy.ts';

/** Names and addresses are shown as they are now. */
export const copyUpdatedUser = on(UserUpdated, 'crm.copy-updated-user', ({ event, envelope, db }) =>
  upsertUserProfile(db, event, envelope.aggregate_version),
);
