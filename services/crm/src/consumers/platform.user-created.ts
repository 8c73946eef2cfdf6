import { UserCreated } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertUserProfile } from '../users/copy.ts';

/** Somebody new is known by name before they first appear on a lead. */
export const copyCreatedUser = on(UserCreated, 'crm.copy-created-user', ({ event, envelope, db }) =>
  upsertUserProfile(db, event, envelope.aggregate_version),
);
