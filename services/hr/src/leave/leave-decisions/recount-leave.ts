/**
 * Recounts of future leave when working days change, for example by a holiday, a new shift or another branch. Granted
 * leave is updated, and the employee is notified.
 */
import { type Sql, sql } from '@suite/chassis/database';
import { applyLeave } from '../../attendance/attendance-days/leave-days.ts';
import type { WorkspaceCalendar, EmployeeSchedule } from '../../time/days/day.rules.ts';
import { workDays } from '../../time/days/day.rules.ts';
import { readCompanyAndPeople } from '../../time/days/days.ts';
import { lockWithEmployee, leaveEventOf } from '../leave-applications/leave-application.ts';
import { type CountedDay, countedDays, sumOf } from '../leave-applications/leave-days.rules.ts';
import { leaveDaysOf, readType } from '../leave-applications/leave-request.ts';
import { type LeaveRow, readLeaveDays, writeLeaveDays } from '../leave-applications/leave-row.ts';
import { leaveToday, openLeave, storeLeave } from '../../employment/leave-ledger/accounts.ts';
import { daysText } from '../../employment/leave-ledger/holder.rules.ts';
import { takeDays, replayLedger } from '../../employment/leave-ledger/replay.rules.ts';
import { queueLeaveMail } from '../leave-mails/leave-mail.ts';
import type { Db } from '../../operations.ts';
import { LeaveUpdated } from '@suite/proto/hr/v1/events';
import { releaseLeaveDays, type DecisionContext } from './grant-leave.ts';
import { type LeaveCase, cancelWhole } from './leave-decision.ts';

/** First and last day to recount, inclusive. */
export interface RecountSpan {
  from: string;
  to: string;
}

/** End of an open-ended span. */
export const LAST_DAY = '9999-12-31';

type RecountedLeave = Pick<
  LeaveRow,
  'id' | 'employee_id' | 'from' | 'to' | 'half_day' | 'starts_midday' | 'ends_midday'
> & {
  include_holidays: boolean;
  counted: CountedDay[];
};

/** Returns leave requests with actual or possible days in a span. @param of condition for the requests */
const leaveInSpan = (db: Db, { from, to }: RecountSpan, of: Sql): Promise<RecountedLeave[]> =>
  db.rows<RecountedLeave>(sql`
    SELECT leave.id, leave.employee_id, leave.from::text AS "from", leave.to::text AS "to", half_day, starts_midday, ends_midday,
      include_holidays, coalesce((SELECT jsonb_agg(jsonb_build_object('day', day::text, 'days', (days * 100)::int) ORDER BY day)
        FROM leave_days WHERE leave_days.application_id = leave.id), '[]') AS counted
    FROM leave_applications AS leave JOIN leave_types ON leave_types.id = leave.leave_type_id
    WHERE leave.status IN ('pending', 'first_approved', 'approved') AND NOT include_holidays
      AND leave.from BETWEEN ${from}::date - 366 AND ${to}::date AND leave.to >= ${from}::date AND ${of}
    ORDER BY leave.id`);

/** Returns the days of a span that a leave request counts wrongly, and the days that it is missing. */
function difference(
  { from, to }: RecountSpan,
  found: RecountedLeave,
  company: WorkspaceCalendar,
  person: EmployeeSchedule,
) {
  const isInSpan = ({ day }: CountedDay) => from <= day && day <= to;
  const now = countedDays(found, workDays(company, person, found.from, found.to), false);
  const had = new Set(found.counted.map(({ day }) => day));
  const has = new Set(now.map(({ day }) => day));
  return {
    gone: found.counted.filter((one) => isInSpan(one) && !has.has(one.day)),
    more: now.filter((one) => isInSpan(one) && !had.has(one.day)),
  };
}

interface DayDifference {
  gone: CountedDay[];
  more: CountedDay[];
}

/** Charges days that count again, if the balance covers them. Returns true if it does. */
async function chargeDays(context: DecisionContext, { row }: LeaveCase, more: readonly CountedDay[]): Promise<boolean> {
  const { db } = context;
  const { id, employee_id, leave_type_id } = row;
  const { limited } = await readType(db, leave_type_id);
  const leave = await openLeave(db, { employee_id, leave_type_id, deciding: id });
  const days = leaveDaysOf(id, more);
  if (limited && replayLedger(leave.account, leave.holder, leave.today, days)) return false;
  takeDays(leave.account, leave.today, days);
  await storeLeave(db, leave);
  await applyLeave(context, { employee_id, days: more.map(({ day }) => day) });
  return true;
}

/** Returns the days that an e-mail has already reported to the employee as not covered by their balance. */
async function reportedUncoveredDays({ db }: DecisionContext, { row }: LeaveCase): Promise<Set<string>> {
  const rows = await db.rows<{ day: string }>(sql`
    SELECT unnest(days)::text AS day FROM leave_mails WHERE application_id = ${row.id}::uuid AND kind = 'uncharged'`);
  return new Set(rows.map(({ day }) => day));
}

const notifyOfRecount = (
  { db }: DecisionContext,
  { row }: LeaveCase,
  kind: 'returned' | 'charged' | 'uncharged',
  days: readonly CountedDay[],
) =>
  queueLeaveMail(db, { application_id: row.id, employee_id: row.employee_id, kind, days: days.map(({ day }) => day) });

/** Updates a locked leave request to the days that count now. */
async function recountRequest(
  context: DecisionContext,
  found: LeaveCase,
  { gone, more }: DayDifference,
): Promise<void> {
  const { db, emit } = context;
  const { row, employee } = found;
  const { id } = row;
  const isGranted = row.status === 'approved';
  const before = await readLeaveDays(db, id);
  const given = before.filter(({ day }) => gone.some((one) => one.day === day));
  const left = before.filter(({ day }) => !gone.some((one) => one.day === day));
  if (left.length + more.length === 0) {
    await cancelWhole(context, found, { keeps_holidays: true });
    await notifyOfRecount(context, found, 'returned', given);
    return;
  }
  await writeLeaveDays(db, row, left);
  if (isGranted && given.length > 0)
    await releaseLeaveDays(context, row, { days: given.map(({ day }) => day), keeps_holidays: true });
  await writeLeaveDays(db, row, [...left, ...more]);
  const isCharged = !isGranted || more.length === 0 || (await chargeDays(context, found, more));
  const counted = isCharged ? [...left, ...more] : left;
  if (!isCharged) await writeLeaveDays(db, row, left);
  await db.leaveApplication.updateMany({ where: { id }, data: { days: daysText(sumOf(counted)) } });
  if (isGranted && given.length > 0) await notifyOfRecount(context, found, 'returned', given);
  const reported = isCharged ? new Set<string>() : await reportedUncoveredDays(context, found);
  const news = more.filter(({ day }) => !reported.has(day));
  if (isGranted && news.length > 0) await notifyOfRecount(context, found, isCharged ? 'charged' : 'uncharged', news);
  if (given.length === 0 && !isCharged) return;
  emit(LeaveUpdated, { ...leaveEventOf(row, employee.user_id), status: isGranted ? 'approved' : 'pending' });
}

/** Returns the leave requests of a span with outdated days, each with the difference. */
async function findOutdatedLeave(db: Db, span: RecountSpan, of: Sql): Promise<(DayDifference & { id: string })[]> {
  const found = await leaveInSpan(db, span, of);
  if (found.length === 0) return [];
  const starts = found.map(({ from }) => from).toSorted();
  const ends = found.map(({ to }) => to).toSorted();
  const ids = [...new Set(found.map(({ employee_id }) => employee_id))];
  const { company, people } = await readCompanyAndPeople(db, { from: starts[0]!, to: ends.at(-1)! }, ids);
  return found
    .map((one) => ({ id: one.id, ...difference(span, one, company, people.get(one.employee_id)!) }))
    .filter(({ gone, more }) => gone.length + more.length > 0);
}

/**
 * Marks leave for a recount on some days. Past leave does not change. A schedule recounts each request separately, so
 * that a failure does not delay others.
 * @param of condition for the leave. Defaults to all employees.
 * @returns the number of marked requests
 */
export async function markForRecount(db: Db, { from, to }: RecountSpan, of: Sql = sql`TRUE`): Promise<number> {
  const today = await leaveToday(db);
  const span = { from: from > today ? from : today, to };
  if (span.to < span.from) return 0;
  const ids = (await findOutdatedLeave(db, span, of)).map(({ id }) => id);
  if (ids.length > 0)
    await db.rows(sql`
      INSERT INTO leave_recounts AS known (application_id, "from", "to")
      SELECT application_id, ${span.from}::date, ${span.to}::date FROM unnest(${ids}::uuid[]) AS application_id
      ON CONFLICT (workspace_id, application_id) DO UPDATE
        SET "from" = least(known.from, EXCLUDED.from), "to" = greatest(known.to, EXCLUDED.to)`);
  return ids.length;
}

/** Recounts a request on its marked days. */
export async function recountLeave(context: DecisionContext, application_id: string): Promise<void> {
  const { db } = context;
  const found = await lockWithEmployee(db, application_id);
  const [span] = await db.rows<RecountSpan>(sql`
    DELETE FROM leave_recounts WHERE application_id = ${application_id}::uuid
    RETURNING "from"::text AS "from", "to"::text AS "to"`);
  if (!span) return;
  const [days] = await findOutdatedLeave(db, span, sql`leave.id = ${application_id}::uuid`);
  if (days) await recountRequest(context, found, days);
}
