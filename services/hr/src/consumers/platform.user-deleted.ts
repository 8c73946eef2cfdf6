import { UserDeleted } from '@suite/proto/platform/v1/events';
import { upsertFormerUser } from '@suite/users';
import { on } from '../operations.ts';

/** Nothing tells who somebody was whose account is gone. Who was employed stays recorded as an employee. */
export const forgetUser = on(UserDeleted, 'hr.forget-user', ({ event, envelope, db }) =>
  upsertFormerUser(db, event.user_id, envelope.aggregate_version),
);
