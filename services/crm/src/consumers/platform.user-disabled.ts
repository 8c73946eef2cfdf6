import { UserDisabled } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertUserStatus } from '../users/copy.ts';

/** Removes a disabled user from the choices of forms. */
export const recordDisabledUser = on(UserDisabled, 'crm.note-disabled-user', ({ event, envelope, db }) =>
  upsertUserStatus(db, event.user_id, 'disabled', envelope.aggregate_version),
);
