import { clock } from '@suite/chassis';
import { HolidayCalendarChanged } from '@suite/proto/hr/v1/events';
import { dayAt, daysAfter } from '@suite/wall-clock';
import { recountClosedDays } from '../attendance-days/recount-days.ts';
import { LAST_DAY, noteRecounts } from '../leave-decisions/recount-leave.ts';
import { leaveToday } from '../leave-ledger/accounts.ts';
import { on } from '../operations.ts';

/** Days of a calendar that another branch has now are counted anew from so many days ago. */
const BACK_DAYS = 31;

/** Days that were counted are counted anew by the holidays of now; those of final payslips stay as they are. */
export const recountDays = on(HolidayCalendarChanged, 'hr.recount-days', async ({ event, db, emit }) => {
  const from = event.from || daysAfter(dayAt(clock.now().getTime(), 'UTC'), -BACK_DAYS);
  await recountClosedDays({ db, emit }, { from, to: event.to || LAST_DAY });
});

/** Leave to come is counted anew by the holidays of now. */
export const recountHolidays = on(HolidayCalendarChanged, 'hr.recount-leave', async ({ event, db }) => {
  await noteRecounts(db, { from: event.from || (await leaveToday(db)), to: event.to || LAST_DAY });
});
