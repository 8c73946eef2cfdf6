/** Judges what somebody asks for: counts its days, and gathers the facts that it may be refused for. */
import { invalid, sql } from '@suite/chassis';
import { daysAfter, daysFrom } from '@suite/wall-clock';
import type { WorkDay } from '../days/day.rules.ts';
import { daysOfEmployee } from '../days/days.ts';
import type { LockedEmployee } from '../employment/employment.ts';
import { termsOf } from '../employment/terms.ts';
import { copyOf, type LeaveDay } from '../leave-ledger/account.rules.ts';
import { type OpenLeave, openLeave } from '../leave-ledger/accounts.ts';
import { balanceAsOf } from '../leave-ledger/balance.rules.ts';
import { walk } from '../leave-ledger/walk.rules.ts';
import type { Db } from '../operations.ts';
import { consecutiveDays } from '../consecutive-leave/consecutive-leave.ts';
import { HalfDayNeedsOneDay, NoWorkingDay, type RequestFacts, type RequestPolicy } from './leave-application.rules.ts';
import { type AskedSpan, type CountedDay, countedDays, halfDaysOf, sumOf } from './leave-days.rules.ts';

/** A type of leave, as far as requests need it. */
export interface RequestedType extends RequestPolicy {
  id: string;
  active: boolean;
  paid: boolean;
  allow_half_day: boolean;
  include_holidays: boolean;
  requires_reason: boolean;
  gender: string | null;
  employment_types: string[];
  second_step: boolean;
  /** Whether its days are granted, so that there are so many and no more. */
  limited: boolean;
}

/** Leave as it is asked for. */
export interface Asked extends AskedSpan {
  employee_id: string;
  leave_type_id: string;
  reason: string | null;
  has_document: boolean;
  /** The application that it is of, once there is one. */
  application_id?: string;
  /** It is being written: the type must still be asked for, and be for the person. */
  is_changed?: boolean;
  /** The day on which it was asked for, where that is not today: it is being decided. */
  asked_on?: string;
}

/** A request with what was found out about it. */
export interface Judged {
  type: RequestedType;
  leave: OpenLeave;
  counted: CountedDay[];
  facts: RequestFacts;
  /** The days that can be taken on its first day, without it and with it, in hundredths; none where there is no limit. */
  balance_before: number | null;
  balance_after: number | null;
}

/** Chosen: one request takes a year at most, and plans for two. */
const DAYS_MAX = 366;
const AHEAD_DAYS = 730;

/** Makes sure that a span is one. @throws HalfDayNeedsOneDay, a 422 that names the field */
export function assertSpan({ from, to, half_day, starts_midday, ends_midday }: AskedSpan, today: string): void {
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(from, to) >= DAYS_MAX) throw invalid('to', `Choose at most ${DAYS_MAX} days at a time.`);
  if (from > daysAfter(today, AHEAD_DAYS)) throw invalid('from', 'Choose days within the next two years.');
  if (half_day !== 'none' && from !== to) throw HalfDayNeedsOneDay({ field: 'half_day' });
  if (from === to && starts_midday) throw invalid('starts_midday', 'For a half of one day, use `half_day`.');
  if (from === to && ends_midday) throw invalid('ends_midday', 'For a half of one day, use `half_day`.');
}

/** The type that is asked for. @throws a 422 where there is no such type */
export async function readType(db: Db, id: string): Promise<RequestedType> {
  const [type] = await db.rows<RequestedType>(sql`
    SELECT id, active, paid, allow_half_day, include_holidays, requires_reason, gender, employment_types, second_step,
      min_notice_days, max_consecutive, applicable_after_days, requires_document_after,
      (paid OR days_per_year > 0) AS limited
    FROM leave_types WHERE id = ${id}::uuid`);
  if (!type) throw invalid('leave_type_id', 'Leave type not found.');
  return type;
}

/** Whether a type is for somebody, by his gender and by how he is employed on a day. */
export const suits = (
  { gender, employment_types }: Pick<RequestedType, 'gender' | 'employment_types'>,
  person: { gender: string | null; employment_type: string | null },
): boolean =>
  (gender === null || gender === person.gender) &&
  (employment_types.length === 0 || employment_types.includes(person.employment_type ?? ''));

/** Makes sure that somebody can ask for leave of a type. @throws a 422 that names the field */
async function assertType(db: Db, type: RequestedType, { employee_id, from, ...asked }: Asked): Promise<void> {
  if (!type.active) throw invalid('leave_type_id', 'This leave type is inactive. Choose another type.');
  const isHalf = asked.half_day !== 'none' || asked.starts_midday || asked.ends_midday;
  if (isHalf && !type.allow_half_day) {
    const field = asked.half_day !== 'none' ? 'half_day' : asked.starts_midday ? 'starts_midday' : 'ends_midday';
    throw invalid(field, 'This leave type allows whole days only.');
  }
  if (type.requires_reason && !asked.reason) throw invalid('reason', 'Enter a reason: this leave type requires one.');
  if (type.gender === null && type.employment_types.length === 0) return;
  const [person] = await db.rows<{ gender: string | null; employment_type: string }>(sql`
    SELECT gender, employment_type FROM employees WHERE id = ${employee_id}::uuid`);
  const terms = await termsOf(db, employee_id, from);
  const employment_type = terms?.employment_type ?? person!.employment_type;
  if (!suits(type, { gender: person!.gender, employment_type }))
    throw invalid('leave_type_id', 'This leave type does not apply to this employee.');
}

/** Other leave that takes some of the half days of a request. */
async function findOther(db: Db, asked: Asked): Promise<RequestFacts['other']> {
  const [first, end] = halfDaysOf(asked);
  const [other] = await db.rows<NonNullable<RequestFacts['other']>>(sql`
    SELECT id AS leave_application_id, "from"::text AS "from", "to"::text AS "to" FROM leave_applications
    WHERE employee_id = ${asked.employee_id}::uuid AND status IN ('pending', 'first_approved', 'approved')
      AND half_days && int4range(${first}::int, ${end}::int) AND id IS DISTINCT FROM ${asked.application_id ?? null}::uuid
    ORDER BY "from" LIMIT 1`);
  return other;
}

/** The first of some days for which a payslip of somebody is final. */
export async function firstPaidOf(
  db: Db,
  employee_id: string,
  days: readonly CountedDay[],
): Promise<string | undefined> {
  const [paid] = await db.rows<{ day: string | null }>(sql`
    SELECT min(day)::text AS day FROM unnest(${days.map(({ day }) => day)}::date[]) AS day
    WHERE is_paid_day(${employee_id}::uuid, day)`);
  return paid?.day ?? undefined;
}

/** The days of an application, as the ledger charges them. */
export const leaveDaysOf = (application_id: string, days: readonly CountedDay[]): LeaveDay[] =>
  days.map((one) => ({ application_id, ...one }));

/** How many calendar days somebody had been employed on a day, in the employment of that day. */
async function servedDays(db: Db, { id, joining_date }: LockedEmployee, day: string): Promise<number> {
  const [employment] = await db.rows<{ joining_date: string }>(sql`
    SELECT joining_date::text AS joining_date FROM employments
    WHERE employee_id = ${id}::uuid AND joining_date <= ${day}::date ORDER BY joining_date DESC LIMIT 1`);
  return daysFrom(employment?.joining_date ?? joining_date, day);
}

/** The days of requests that were asked for before one that is decided: who asked later does not hold them against it. */
async function heldBefore(db: Db, held: readonly LeaveDay[], application_id: string): Promise<LeaveDay[]> {
  const ids = [...new Set(held.map((day) => day.application_id))];
  if (ids.length === 0) return [];
  const earlier = await db.rows<{ id: string }>(sql`
    SELECT other.id FROM leave_applications AS other JOIN leave_applications AS decided ON decided.id = ${application_id}::uuid
    WHERE other.id = ANY (${ids}::uuid[]) AND (other.asked_at, other.id) < (decided.asked_at, decided.id)`);
  const before = new Set(earlier.map(({ id }) => id));
  return held.filter((day) => before.has(day.application_id));
}

/** The balance on the first day of a request, without it and with it, and what is missing on the way. */
function weigh({ account, holder, today }: OpenLeave, days: readonly LeaveDay[], from: string) {
  const withIt = copyOf(account);
  withIt.held.push(...days);
  return {
    before: balanceAsOf(copyOf(account), holder, today, from).available,
    after: balanceAsOf(withIt, holder, today, from).available,
    shortage: walk(account, holder, today, days),
  };
}

/**
 * Judges a request of a locked employee as of today.
 * @throws HalfDayNeedsOneDay, NoWorkingDay, a 422 that names the field: what is wrong with it whoever decides
 */
export async function judge(db: Db, employee: LockedEmployee, asked: Asked, application_id: string): Promise<Judged> {
  const { employee_id, leave_type_id, from, to } = asked;
  const type = await readType(db, leave_type_id);
  const leave = await openLeave(db, { employee_id, leave_type_id, deciding: application_id });
  assertSpan(asked, leave.today);
  if (!asked.application_id || asked.is_changed) await assertType(db, type, asked);
  const days: WorkDay[] = await daysOfEmployee(db, employee_id, from, to);
  const counted = countedDays(asked, days, type.include_holidays);
  if (counted.length === 0) throw NoWorkingDay({ field: 'from' });
  const unemployed = new Set(days.filter(({ kind }) => kind === 'not_employed').map(({ day }) => day));
  const held = asked.asked_on ? await heldBefore(db, leave.account.held, application_id) : leave.account.held;
  const weighed = { ...leave, account: { ...leave.account, held } };
  const { before, after, shortage } = weigh(weighed, leaveDaysOf(application_id, counted), from);
  const facts: RequestFacts = {
    policy: type,
    unemployed_on: counted.find(({ day }) => unemployed.has(day))?.day,
    paid_on: await firstPaidOf(db, employee_id, counted),
    other: await findOther(db, asked),
    notice_days: daysFrom(asked.asked_on ?? leave.today, from),
    counted: sumOf(counted),
    consecutive: await consecutiveDays(
      db,
      { ...type, employee_id, leave_type_id, application_id, is_decided: asked.asked_on !== undefined },
      counted,
    ),
    served_days: await servedDays(db, employee, from),
    has_document: asked.has_document,
    available: before,
    shortage: type.limited ? shortage : undefined,
  };
  const shown = { balance_before: type.limited ? before : null, balance_after: type.limited ? after : null };
  return { type, leave, counted, facts, ...shown };
}
