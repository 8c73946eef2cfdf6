import { clock } from '@suite/chassis/runtime';
import { HolidayCalendarChanged } from '@suite/proto/hr/v1/events';
import { dayAt, daysAfter } from '@suite/time-zones';
import { recountClosedDays } from '../attendance/attendance-days/recount-days.ts';
import { LAST_DAY, markForRecount } from '../leave/leave-decisions/recount-leave.ts';
import { leaveToday } from '../employment/leave-ledger/accounts.ts';
import { on } from '../operations.ts';

/** Number of past days to recount when a calendar moves to another branch. */
const BACK_DAYS = 31;

/** Recounts counted days by the current holidays. Days in final payslips do not change. */
export const recountDays = on(HolidayCalendarChanged, 'hr.recount-days', async ({ event, db, emit }) => {
  const from = event.from || daysAfter(dayAt(clock.now().getTime(), 'UTC'), -BACK_DAYS);
  await recountClosedDays({ db, emit }, { from, to: event.to || LAST_DAY });
});

/** Recounts future leave by the current holidays. */
export const recountHolidays = on(HolidayCalendarChanged, 'hr.recount-leave', async ({ event, db }) => {
  await markForRecount(db, { from: event.from || (await leaveToday(db)), to: event.to || LAST_DAY });
});
