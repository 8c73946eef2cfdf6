import { ShiftChanged } from '@suite/proto/hr/v1/events';
import { LAST_DAY, markForRecount } from '../leave/leave-decisions/recount-leave.ts';
import { on } from '../operations.ts';

/** Recounts leave when the weekdays of a shift change, or when another shift becomes the default. */
export const recountLeaveOfShift = on(ShiftChanged, 'hr.recount-leave-of-shift', async ({ event, db }) => {
  await markForRecount(db, { from: event.from, to: LAST_DAY });
});
