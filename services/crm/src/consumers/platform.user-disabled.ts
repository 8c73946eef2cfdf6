import { UserDisabled } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { keepStatus } from '../users/copy.ts';

/** Whoever may not sign in for now is offered in no form. */
export const noteDisabledUser = on(UserDisabled, 'crm.note-disabled-user', ({ event, envelope, db }) =>
  keepStatus(db, event.user_id, 'disabled', envelope.aggregate_version),
);
