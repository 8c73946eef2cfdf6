import { UserDeleted } from '@suite/proto/platform/v1/events';
import { upsertFormerUser } from '@suite/user-copies';
import { on } from '../operations.ts';

/** Erases the identity of a deleted user. Employees remain recorded as employees. */
export const forgetUser = on(UserDeleted, 'hr.forget-user', ({ event, envelope, db }) =>
  upsertFormerUser(db, event.user_id, envelope.position),
);
