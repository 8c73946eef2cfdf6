import { sql } from '@suite/chassis/database';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import { syncAcknowledgmentsOf } from '../notices/acknowledgments/acknowledgment.ts';
import { recountClosedDays } from '../attendance/attendance-days/recount-days.ts';
import { LAST_DAY, markForRecount } from '../leave/leave-decisions/recount-leave.ts';
import { leaveToday } from '../employment/leave-ledger/accounts.ts';
import { on } from '../operations.ts';

/** Employee fields that can place an employee in an audience. */
const AUDIENCE_FIELDS = new Set(['branch_id', 'department_id', 'designation_id']);

/** Requests acknowledgments that apply to an employee after a transfer. */
export const requestAcknowledgmentsOnTransfer = on(EmployeeUpdated, 'hr.ask-mover', async ({ event, db }) => {
  if (event.fields.some((name) => AUDIENCE_FIELDS.has(name))) await syncAcknowledgmentsOf(db, event.employee_id);
});

/** Employee fields that determine holidays, and with `shift_id` the working days. */
const HOLIDAYS = ['branch_id', 'calendar_id'];
const DAYS = new Set(['shift_id', ...HOLIDAYS]);

/** Recounts days of an employee whose branch or calendar changed retroactively. Each day retains its shift terms. */
export const recountDaysOfMover = on(EmployeeUpdated, 'hr.recount-days-of-mover', async ({ event, db, emit }) => {
  const { employee_id, fields, effective_from } = event;
  const today = await leaveToday(db);
  if (!effective_from || effective_from > today || !fields.some((name) => HOLIDAYS.includes(name))) return;
  const span = { from: effective_from, to: today };
  await recountClosedDays({ db, emit }, span, sql`employee_id = ${employee_id}::uuid`);
});

/** Recounts leave of an employee from the day on which their shift, branch or calendar changes. */
export const recountLeaveOfMover = on(EmployeeUpdated, 'hr.recount-leave-of-mover', async ({ event, db }) => {
  const { employee_id, fields, effective_from } = event;
  if (!effective_from || !fields.some((name) => DAYS.has(name))) return;
  await markForRecount(db, { from: effective_from, to: LAST_DAY }, sql`leave.employee_id = ${employee_id}::uuid`);
});
