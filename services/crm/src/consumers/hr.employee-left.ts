import { EmployeeLeft } from '@suite/proto/hr/v1/events';
import { transferRecords } from '../pipeline/users/handover.ts';
import { on } from '../operations.ts';

/** Reassigns the records of an employee whose last day has passed. */
export const handOverOfLeaver = on(EmployeeLeft, 'crm.hand-over-of-leaver', async ({ event, db }) => {
  if (event.user_id) await transferRecords(db, event.user_id);
});
