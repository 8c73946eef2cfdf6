/** Counts leave to come anew when other days are holidays than before: what is granted follows, and the person is told. */
import { sql } from '@suite/chassis';
import { putLeave } from '../attendance-days/leave-days.ts';
import type { Company, Person } from '../days/day.rules.ts';
import { workDays } from '../days/day.rules.ts';
import { readCompany, readPeople } from '../days/days.ts';
import { lockWithEmployee, toldOf } from '../leave-applications/leave-application.ts';
import { type CountedDay, countedDays, sumOf } from '../leave-applications/leave-days.rules.ts';
import { leaveDaysOf, readType } from '../leave-applications/leave-request.ts';
import { type LeaveRow, readLeaveDays, writeLeaveDays } from '../leave-applications/leave-row.ts';
import { openLeave, storeLeave } from '../leave-ledger/accounts.ts';
import { daysText } from '../leave-ledger/holder.rules.ts';
import { takeAll, walk } from '../leave-ledger/walk.rules.ts';
import { queueLeaveMail } from '../leave-mails/leave-mail.ts';
import { LeaveUpdated } from '@suite/proto/hr/v1/events';
import { giveBack, type Work } from './grant-leave.ts';
import { type Case, cancelWhole } from './leave-decision.ts';

/** The days that are looked at, both included. */
export interface Span {
  from: string;
  to: string;
}

type Found = Pick<LeaveRow, 'id' | 'employee_id' | 'from' | 'to' | 'half_day' | 'starts_midday' | 'ends_midday'> & {
  include_holidays: boolean;
  counted: CountedDay[];
};

/** Applications that take days of a span, or could. */
const applicationsIn = ({ db }: Work, { from, to }: Span): Promise<Found[]> =>
  db.rows<Found>(sql`
    SELECT leave.id, leave.employee_id, leave.from::text AS "from", leave.to::text AS "to", half_day, starts_midday, ends_midday,
      include_holidays, coalesce((SELECT jsonb_agg(jsonb_build_object('day', day::text, 'days', (days * 100)::int) ORDER BY day)
        FROM leave_days WHERE leave_days.application_id = leave.id), '[]') AS counted
    FROM leave_applications AS leave JOIN leave_types ON leave_types.id = leave.leave_type_id
    WHERE leave.status IN ('pending', 'first_approved', 'approved') AND NOT include_holidays
      AND leave.from BETWEEN ${from}::date - 366 AND ${to}::date AND leave.to >= ${from}::date
    ORDER BY leave.id`);

/** The days of a span that an application counts now and should not, and the other way round. */
function difference({ from, to }: Span, found: Found, company: Company, person: Person) {
  const within = ({ day }: CountedDay) => from <= day && day <= to;
  const now = countedDays(found, workDays(company, person, found.from, found.to), false);
  const had = new Set(found.counted.map(({ day }) => day));
  const has = new Set(now.map(({ day }) => day));
  return {
    gone: found.counted.filter((one) => within(one) && !has.has(one.day)),
    more: now.filter((one) => within(one) && !had.has(one.day)),
  };
}

interface Difference {
  gone: CountedDay[];
  more: CountedDay[];
}

/** Charges days that count again, if the balance allows it. Returns whether it does. */
async function charge(work: Work, { row }: Case, more: readonly CountedDay[]): Promise<boolean> {
  const { db } = work;
  const { id, employee_id, leave_type_id } = row;
  const { limited } = await readType(db, leave_type_id);
  const leave = await openLeave(db, { employee_id, leave_type_id, deciding: id });
  const days = leaveDaysOf(id, more);
  if (limited && walk(leave.account, leave.holder, leave.today, days)) return false;
  takeAll(leave.account, leave.today, days);
  await storeLeave(db, leave);
  await putLeave(work, { employee_id, application_id: id, days: more.map(({ day }) => day) });
  return true;
}

/** The days of which somebody was told already that his balance does not cover them. */
async function toldShort({ db }: Work, { row }: Case): Promise<Set<string>> {
  const rows = await db.rows<{ day: string }>(sql`
    SELECT unnest(days)::text AS day FROM leave_mails WHERE application_id = ${row.id}::uuid AND kind = 'uncharged'`);
  return new Set(rows.map(({ day }) => day));
}

const tell = ({ db }: Work, { row }: Case, kind: 'returned' | 'charged' | 'uncharged', days: readonly CountedDay[]) =>
  queueLeaveMail(db, { application_id: row.id, employee_id: row.employee_id, kind, days: days.map(({ day }) => day) });

/** Brings one application to the days that count now. */
async function recount(work: Work, id: string, { gone, more }: Difference): Promise<void> {
  const { db, emit } = work;
  const found = await lockWithEmployee(db, id);
  const { row, employee } = found;
  const isGranted = row.status === 'approved';
  if (!isGranted && row.status !== 'pending' && row.status !== 'first_approved') return;
  const before = await readLeaveDays(db, id);
  const given = before.filter(({ day }) => gone.some((one) => one.day === day));
  const left = before.filter(({ day }) => !gone.some((one) => one.day === day));
  if (left.length + more.length === 0) {
    await cancelWhole(work, found, {});
    await tell(work, found, 'returned', given);
    return;
  }
  if (isGranted && given.length > 0)
    await giveBack(
      work,
      row,
      given.map(({ day }) => day),
    );
  await writeLeaveDays(db, row, [...left, ...more]);
  const isCharged = !isGranted || more.length === 0 || (await charge(work, found, more));
  const counted = isCharged ? [...left, ...more] : left;
  if (!isCharged) await writeLeaveDays(db, row, left);
  await db.leaveApplication.updateMany({ where: { id }, data: { days: daysText(sumOf(counted)) } });
  if (isGranted && given.length > 0) await tell(work, found, 'returned', given);
  const told = isCharged ? new Set<string>() : await toldShort(work, found);
  const news = more.filter(({ day }) => !told.has(day));
  if (isGranted && news.length > 0) await tell(work, found, isCharged ? 'charged' : 'uncharged', news);
  if (given.length === 0 && !isCharged) return;
  emit(LeaveUpdated, { ...toldOf(row, employee.user_id), status: isGranted ? 'approved' : 'pending' });
}

/** Counts the leave of everybody anew on some days. Returns how many applications changed. */
export async function recountLeave(work: Work, span: Span): Promise<number> {
  const { db } = work;
  const found = await applicationsIn(work, span);
  if (found.length === 0) return 0;
  const [first, last] = [
    found.map(({ from }) => from).toSorted()[0]!,
    found
      .map(({ to }) => to)
      .toSorted()
      .at(-1)!,
  ];
  const company = await readCompany(db, { from: first, to: last });
  const people = await readPeople(db, [...new Set(found.map(({ employee_id }) => employee_id))]);
  let changed = 0;
  for (const one of found) {
    const days = difference(span, one, company, people.get(one.employee_id)!);
    if (days.gone.length + days.more.length === 0) continue;
    await recount(work, one.id, days);
    changed += 1;
  }
  return changed;
}
