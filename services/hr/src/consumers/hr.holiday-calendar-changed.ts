import { clock, sql } from '@suite/chassis';
import { HolidayCalendarChanged } from '@suite/proto/hr/v1/events';
import { dayAt, daysAfter } from '@suite/wall-clock';
import { readWorkers, rederive } from '../attendance-days/attendance-day.ts';
import { readDays } from '../attendance-days/day-row.ts';
import { recountLeave } from '../leave-decisions/recount-leave.ts';
import { leaveToday } from '../leave-ledger/accounts.ts';
import { on } from '../operations.ts';

/** Days of a calendar that another branch has now are counted anew from so many days ago. */
const BACK_DAYS = 31;

/** Days that were counted are counted anew by the holidays of now; those of final payslips stay as they are. */
export const recountDays = on(HolidayCalendarChanged, 'hr.recount-days', async ({ event, db, emit }) => {
  const from = event.from || daysAfter(dayAt(clock.now().getTime(), 'UTC'), -BACK_DAYS);
  const to = event.to || '9999-12-31';
  const rows = await readDays(
    db,
    sql`local_date BETWEEN ${from}::date AND ${to}::date AND state = 'closed' AND NOT is_paid_day(employee_id, local_date)`,
  );
  if (rows.length === 0) return;
  const [first, last] = [rows.at(-1)!.local_date, rows[0]!.local_date];
  const ids = [...new Set(rows.map(({ employee_id }) => employee_id))];
  const workers = new Map((await readWorkers(db, ids, { from: first, to: last })).map((one) => [one.employee_id, one]));
  for (const row of rows) await rederive({ db, emit }, row, workers.get(row.employee_id)!, { only_changes: true });
});

/** Leave to come is counted anew by the holidays of now; what is over stays as it was taken. */
export const recountHolidays = on(HolidayCalendarChanged, 'hr.recount-leave', async ({ event, db, emit }) => {
  const today = await leaveToday(db);
  const from = event.from > today ? event.from : today;
  const to = event.to || '9999-12-31';
  if (to >= from) await recountLeave({ db, emit }, { from, to });
});
