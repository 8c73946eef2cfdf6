import { ShiftChanged } from '@suite/proto/hr/v1/events';
import { LAST_DAY, noteRecounts } from '../leave-decisions/recount-leave.ts';
import { on } from '../operations.ts';

/** Leave is counted anew when a shift has other weekdays, or another one is everybody's who has none of his own. */
export const recountLeaveOfShift = on(ShiftChanged, 'hr.recount-leave-of-shift', async ({ event, db }) => {
  await noteRecounts(db, { from: event.from, to: LAST_DAY });
});
