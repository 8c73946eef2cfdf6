/** Checks a leave request: counts its days and collects the facts for its rules. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { daysAfter, daysFrom } from '@suite/time-zones';
import type { WorkDay } from '../../time/days/day.rules.ts';
import { daysOfEmployee } from '../../time/days/days.ts';
import type { LockedEmployee } from '../../employment/employment/employment.ts';
import { employmentTermsOf } from '../../employment/employment/employment-terms.ts';
import { copyOf, type LeaveDay } from '../../employment/leave-ledger/account.rules.ts';
import { type OpenLeave, openLeave } from '../../employment/leave-ledger/accounts.ts';
import { balanceAsOf } from '../../employment/leave-ledger/balance.rules.ts';
import { replayLedger } from '../../employment/leave-ledger/replay.rules.ts';
import type { Db } from '../../operations.ts';
import { consecutiveDays } from '../../time/days/consecutive-leave.ts';
import {
  HalfDayNeedsOneDay,
  NoWorkingDay,
  type LeaveRequestFacts,
  type RequestPolicy,
} from './leave-application.rules.ts';
import { type RequestedSpan, type CountedDay, countedDays, halfDaysOf, sumOf } from './leave-days.rules.ts';

/** Leave type with the fields that requests need. */
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
  /** True if days of the type are granted and therefore limited. */
  limited: boolean;
}

/** Requested leave. */
export interface RequestedLeave extends RequestedSpan {
  employee_id: string;
  leave_type_id: string;
  reason: string | null;
  has_document: boolean;
  /** ID of the stored leave request, if it exists. */
  application_id?: string;
  /** True while the request is being written. The type must then be active and apply to the employee. */
  is_changed?: boolean;
  /** Day of the request, if not today. Set when the request is being decided. */
  asked_on?: string;
}

/** Leave request with the results of its check. */
export interface CheckedRequest {
  type: RequestedType;
  leave: OpenLeave;
  counted: CountedDay[];
  facts: LeaveRequestFacts;
  /** Days available on the first day of leave, without and with the request, in hundredths. Null without a limit. */
  balance_before: number | null;
  balance_after: number | null;
}

/** Chosen: a request covers at most one year, up to two years ahead. */
const DAYS_MAX = 366;
const AHEAD_DAYS = 730;

/** Checks the span of a leave request. @throws HalfDayNeedsOneDay, a 422 fault that names the field */
export function assertLeaveSpan(
  { from, to, half_day, starts_midday, ends_midday }: RequestedSpan,
  today: string,
): void {
  if (to < from) throw invalid('to', 'The last day must not be before the first day.');
  if (daysFrom(from, to) >= DAYS_MAX) throw invalid('to', `Choose at most ${DAYS_MAX} days at a time.`);
  if (from > daysAfter(today, AHEAD_DAYS)) throw invalid('from', 'Choose days within the next two years.');
  if (half_day !== 'none' && from !== to) throw HalfDayNeedsOneDay({ field: 'half_day' });
  if (from === to && starts_midday) throw invalid('starts_midday', 'For a single day, choose a half day instead.');
  if (from === to && ends_midday) throw invalid('ends_midday', 'For a single day, choose a half day instead.');
}

/** Reads the requested leave type. @throws a 422 for an unknown type */
export async function readType(db: Db, id: string): Promise<RequestedType> {
  const [type] = await db.rows<RequestedType>(sql`
    SELECT id, active, paid, allow_half_day, include_holidays, requires_reason, gender, employment_types, second_step,
      min_notice_days, max_consecutive, applicable_after_days, requires_document_after,
      (paid OR days_per_year > 0) AS limited
    FROM leave_types WHERE id = ${id}::uuid`);
  if (!type) throw invalid('leave_type_id', 'Leave type not found.');
  return type;
}

/** Checks if a type applies to an employee, by gender and by employment type on a day. */
export const isApplicableTo = (
  { gender, employment_types }: Pick<RequestedType, 'gender' | 'employment_types'>,
  person: { gender: string | null; employment_type: string | null },
): boolean =>
  (gender === null || gender === person.gender) &&
  (employment_types.length === 0 || employment_types.includes(person.employment_type ?? ''));

/** Checks that an employee can request leave of a type. @throws a 422 that names the field */
async function assertType(
  db: Db,
  type: RequestedType,
  { employee_id, from, ...request }: RequestedLeave,
): Promise<void> {
  if (!type.active) throw invalid('leave_type_id', 'This leave type is inactive. Choose another type.');
  const isHalf = request.half_day !== 'none' || request.starts_midday || request.ends_midday;
  if (isHalf && !type.allow_half_day) {
    const field = request.half_day !== 'none' ? 'half_day' : request.starts_midday ? 'starts_midday' : 'ends_midday';
    throw invalid(field, 'This leave type allows whole days only.');
  }
  if (type.requires_reason && !request.reason) throw invalid('reason', 'Enter a reason: this leave type requires one.');
  if (type.gender === null && type.employment_types.length === 0) return;
  const [person] = await db.rows<{ gender: string | null; employment_type: string }>(sql`
    SELECT gender, employment_type FROM employees WHERE id = ${employee_id}::uuid`);
  const terms = await employmentTermsOf(db, employee_id, from);
  const employment_type = terms?.employment_type ?? person!.employment_type;
  if (!isApplicableTo(type, { gender: person!.gender, employment_type }))
    throw invalid('leave_type_id', 'This leave type does not apply to this employee. Choose another type.');
}

/** Returns other leave that includes some half days of the request. */
async function findOther(db: Db, request: RequestedLeave): Promise<LeaveRequestFacts['other']> {
  const [first, end] = halfDaysOf(request);
  const [other] = await db.rows<NonNullable<LeaveRequestFacts['other']>>(sql`
    SELECT id AS leave_application_id, "from"::text AS "from", "to"::text AS "to" FROM leave_applications
    WHERE employee_id = ${request.employee_id}::uuid AND status IN ('pending', 'first_approved', 'approved')
      AND half_days && int4range(${first}::int, ${end}::int) AND id IS DISTINCT FROM ${request.application_id ?? null}::uuid
    ORDER BY "from" LIMIT 1`);
  return other;
}

/** Returns the first of some days with a final payslip for an employee. */
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

/** Returns the days of a leave request, as the ledger charges them. */
export const leaveDaysOf = (application_id: string, days: readonly CountedDay[]): LeaveDay[] =>
  days.map((one) => ({ application_id, ...one }));

/** Returns the calendar days from the start of the employment on a day to that day. */
async function servedDays(db: Db, { id, joining_date }: LockedEmployee, day: string): Promise<number> {
  const [employment] = await db.rows<{ joining_date: string }>(sql`
    SELECT joining_date::text AS joining_date FROM employments
    WHERE employee_id = ${id}::uuid AND joining_date <= ${day}::date ORDER BY joining_date DESC LIMIT 1`);
  return daysFrom(employment?.joining_date ?? joining_date, day);
}

/** Returns the held days of requests made before the one being decided. Later requests do not count against it. */
async function reservedBefore(db: Db, held: readonly LeaveDay[], application_id: string): Promise<LeaveDay[]> {
  const ids = [...new Set(held.map((day) => day.application_id))];
  if (ids.length === 0) return [];
  const earlier = await db.rows<{ id: string }>(sql`
    SELECT other.id FROM leave_applications AS other JOIN leave_applications AS decided ON decided.id = ${application_id}::uuid
    WHERE other.id = ANY (${ids}::uuid[]) AND (other.asked_at, other.id) < (decided.asked_at, decided.id)`);
  const before = new Set(earlier.map(({ id }) => id));
  return held.filter((day) => before.has(day.application_id));
}

/** Returns the balance on the first day of a request, without and with the request, and any shortage until then. */
function balancesOfRequest({ account, holder, today }: OpenLeave, days: readonly LeaveDay[], from: string) {
  const withIt = copyOf(account);
  withIt.held.push(...days);
  return {
    before: balanceAsOf(copyOf(account), holder, today, from).available,
    after: balanceAsOf(withIt, holder, today, from).available,
    shortage: replayLedger(account, holder, today, days),
  };
}

/**
 * Checks a request of a locked employee as of today.
 * @throws HalfDayNeedsOneDay, NoWorkingDay, a 422 that names the field: faults that no approver can override
 */
export async function checkRequest(
  db: Db,
  employee: LockedEmployee,
  request: RequestedLeave,
  application_id: string,
): Promise<CheckedRequest> {
  const { employee_id, leave_type_id, from, to } = request;
  const type = await readType(db, leave_type_id);
  const leave = await openLeave(db, { employee_id, leave_type_id, deciding: application_id });
  assertLeaveSpan(request, leave.today);
  if (!request.application_id || request.is_changed) await assertType(db, type, request);
  const days: WorkDay[] = await daysOfEmployee(db, employee_id, from, to);
  const counted = countedDays(request, days, type.include_holidays);
  if (counted.length === 0) throw NoWorkingDay({ field: 'from' });
  const unemployed = new Set(days.filter(({ kind }) => kind === 'not_employed').map(({ day }) => day));
  const held = request.asked_on ? await reservedBefore(db, leave.account.held, application_id) : leave.account.held;
  const weighed = { ...leave, account: { ...leave.account, held } };
  const { before, after, shortage } = balancesOfRequest(weighed, leaveDaysOf(application_id, counted), from);
  const facts: LeaveRequestFacts = {
    policy: type,
    unemployed_on: counted.find(({ day }) => unemployed.has(day))?.day,
    paid_on: await firstPaidOf(db, employee_id, counted),
    other: await findOther(db, request),
    notice_days: daysFrom(request.asked_on ?? leave.today, from),
    counted: sumOf(counted),
    consecutive: await consecutiveDays(
      db,
      { ...type, employee_id, leave_type_id, application_id, is_decided: request.asked_on !== undefined },
      counted,
    ),
    served_days: await servedDays(db, employee, from),
    has_document: request.has_document,
    available: before,
    shortage: type.limited ? shortage : undefined,
  };
  const shown = { balance_before: type.limited ? before : null, balance_after: type.limited ? after : null };
  return { type, leave, counted, facts, ...shown };
}
