import { UserDeleted } from '@suite/proto/platform/v1/events';
import { on } from '../operations.ts';
import { upsertFormerUser } from '@suite/user-copies';
import { transferRecords } from '../pipeline/users/handover.ts';

/** Reassigns the records of a deleted user. */
export const reassignRecords = on(UserDeleted, 'crm.reassign-records', async ({ event, envelope, db }) => {
  await transferRecords(db, event.user_id);
  await upsertFormerUser(db, event.user_id, envelope.position);
});
