/** Leave requests of demo employees, in every state. */
import type { Caller } from '@suite/chassis/identity';
import type { Emit } from '@suite/chassis/operations';
import { daysAfter, weekdayOf } from '@suite/time-zones';
import { requestForOther, type LeaveContext } from '../leave/leave-applications/leave-application.ts';
import { decideByPermission } from '../leave/leave-decisions/leave-decision.ts';
import { leaveToday } from '../employment/leave-ledger/accounts.ts';
import { earlierOf, firstOf, lastDayOfYear, yearOf } from '../employment/leave-ledger/calendar.rules.ts';
import type { Db } from '../operations.ts';
import { hasWorkingDay } from './public-holidays.ts';

/** Decisions on every fifth request. One of the five stays pending. */
const DECISIONS = [
  [],
  [{ action: 'approve' }],
  [{ action: 'approve' }, { action: 'cancel', remark: 'A customer comes' }],
  [{ action: 'reject', remark: 'We take stock in that week' }],
] as const;
const EVERY = 3;
/** Length of a leave, which fits within a working week on any start day. */
const LENGTH_DAYS = 4;

/** Returns the first day of a leave. Moves the leave forward by weeks if its days have no working day. */
const workableFrom = (from: string, days: number): string =>
  hasWorkingDay(from, daysAfter(from, days - 1)) ? from : workableFrom(daysAfter(from, -7), days);

/** Returns the Monday of a day's week. */
const mondayBefore = (day: string): string => daysAfter(day, 1 - weekdayOf(day));

/** Past leave of some employees: how many days ago it began, and its length in days. */
const PAST_LEAVE = [
  { code: 'annual', ago: 120, days: 5 },
  { code: 'sick', ago: 75, days: 2 },
  { code: 'unpaid', ago: 45, days: 1 },
] as const;
const EVERY_PAST_LEAVE = 4;

/** Creates approved past leave for every fourth demo employee, within the current year. */
async function createPastLeave(context: LeaveContext, people: readonly { id: string }[], today: string): Promise<void> {
  const types = await context.db.leaveType.findMany({ select: { id: true, code: true } });
  const since = firstOf(yearOf(today));
  for (const [at, { id: employee_id }] of people.filter((_, place) => place % EVERY_PAST_LEAVE === 1).entries()) {
    const { code, ago, days } = PAST_LEAVE[at % PAST_LEAVE.length]!;
    const type = types.find((one) => one.code === code);
    const from = workableFrom(mondayBefore(daysAfter(today, -ago - at)), days);
    if (!type || from < since) continue;
    const { joining_date } = await context.db.employee.findFirstOrThrow({ where: { id: employee_id } });
    if (joining_date.toISOString().slice(0, 10) > from) continue;
    const input = { employee_id, leave_type_id: type.id, from, to: daysAfter(from, days - 1) };
    const { id } = await requestForOther(context, input, []);
    await decideByPermission(context, id, { action: 'approve' });
  }
}

/** Creates leave requests for every third demo employee, with the functions of the operations. */
export async function provideApplications(work: { db: Db; emit: Emit }, caller: Caller): Promise<void> {
  const { db } = work;
  const annual = await db.leaveType.findFirstOrThrow({ where: { code: 'annual' }, select: { id: true } });
  const people = await db.employee.findMany({ orderBy: { id: 'asc' }, select: { id: true, user_id: true } });
  const today = await leaveToday(db);
  // No demo request has a document, so no link is created.
  const context = { ...work, caller, links: {} as never };
  const asking = people.filter(({ user_id }, at) => at % EVERY === 0 && user_id !== caller.user_id);
  for (const [at, { id: employee_id }] of asking.entries()) {
    // Next year's days are granted only when that year begins. Late in the year, requests are for its last weeks.
    const latest = daysAfter(lastDayOfYear(yearOf(today)), -LENGTH_DAYS - at);
    const from = workableFrom(earlierOf(daysAfter(today, 14 + at * 3), latest), LENGTH_DAYS);
    const input = { employee_id, leave_type_id: annual.id, from, to: daysAfter(from, LENGTH_DAYS - 1) };
    const { id } = await requestForOther(context, input, []);
    for (const decision of DECISIONS[at % DECISIONS.length]!) await decideByPermission(context, id, decision);
  }
  await createPastLeave(
    context,
    people.filter(({ user_id }) => user_id !== caller.user_id),
    today,
  );
}
