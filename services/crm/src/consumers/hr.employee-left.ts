import { EmployeeLeft } from '@suite/proto/hr/v1/events';
import { handOver } from '../handover/handover.ts';
import { on } from '../operations.ts';

/** Nothing lies with a colleague whose last day is over. */
export const handOverOfLeaver = on(EmployeeLeft, 'crm.hand-over-of-leaver', async ({ event, db }) => {
  if (event.user_id) await handOver(db, event.user_id);
});
