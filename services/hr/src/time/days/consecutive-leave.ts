/** Consecutive leave days, counted across several leave requests. */
import { sql } from '@suite/chassis/database';
import { daysAfter } from '@suite/time-zones';
import type { WorkDay } from './day.rules.ts';
import { daysOfEmployee } from './days.ts';
import type { Db } from '../../operations.ts';

/** Leave day with its size in hundredths. */
interface CountedDay {
  day: string;
  days: number;
}

const sumOf = (days: readonly CountedDay[]): number => days.reduce((sum, { days: one }) => sum + one, 0);

const WHOLE = 100;
/** Maximum number of days off between two working days. */
const REST_DAYS_MAX = 30;

/**
 * Counts the leave days adjacent to a day in one direction, in hundredths. Skips days that the leave type does not
 * count. Stops after a half day, because the employee works the other half.
 * @param days in search order
 * @param taken hundredths of other leave by day
 */
export function countAdjacentLeave(
  days: readonly Pick<WorkDay, 'day' | 'is_weekly_off' | 'holiday' | 'kind'>[],
  taken: ReadonlyMap<string, number>,
  include_holidays: boolean,
): number {
  let sum = 0;
  for (const { day, kind, is_weekly_off, holiday } of days) {
    const own = Math.min(taken.get(day) ?? 0, WHOLE);
    const isPassed = own === 0 && kind !== 'not_employed' && !include_holidays && (is_weekly_off || holiday !== null);
    if (isPassed) continue;
    sum += own;
    if (own < WHOLE) break;
  }
  return sum;
}

/** Leave request with the fields needed to find adjacent requests. */
interface AdjacentRequest {
  employee_id: string;
  leave_type_id: string;
  application_id: string;
  max_consecutive: number | null;
  /** Number of days after which a document is required. */
  requires_document_after: number | null;
  include_holidays: boolean;
  /** True for an approval decision, which counts granted leave only. False counts all requested leave. */
  is_decided: boolean;
}

/** Returns the days of a request and of adjacent requests of the same type, in hundredths. */
export async function consecutiveDays(
  db: Db,
  request: AdjacentRequest,
  counted: readonly CountedDay[],
): Promise<number> {
  const { employee_id, leave_type_id, application_id, include_holidays, is_decided } = request;
  const { max_consecutive, requires_document_after } = request;
  if (max_consecutive === null && requires_document_after === null) return sumOf(counted);
  const reach = Math.max(max_consecutive ?? 0, requires_document_after ?? 0) * 2 + REST_DAYS_MAX;
  const [first, last] = [counted[0]!, counted.at(-1)!];
  const [from, to] = [daysAfter(first.day, -reach), daysAfter(last.day, reach)];
  const statuses = is_decided ? ['approved'] : ['pending', 'first_approved', 'approved'];
  const rows = await db.rows<CountedDay>(sql`
    SELECT leave_days.day::text AS day, (sum(leave_days.days) * 100)::int AS days
    FROM leave_days JOIN leave_applications AS other ON other.id = leave_days.application_id
    WHERE leave_days.employee_id = ${employee_id}::uuid AND leave_days.day BETWEEN ${from}::date AND ${to}::date
      AND other.leave_type_id = ${leave_type_id}::uuid AND other.id <> ${application_id}::uuid AND other.status = ANY (${statuses}::text[])
    GROUP BY leave_days.day`);
  if (rows.length === 0) return sumOf(counted);
  const taken = new Map(rows.map(({ day, days }) => [day, days]));
  const days = await daysOfEmployee(db, employee_id, from, to);
  // A half day at the start or end of the request can share its day with the other half.
  const before = days.filter(({ day }) => (first.days < WHOLE ? day <= first.day : day < first.day)).toReversed();
  const after = days.filter(({ day }) => (last.days < WHOLE && last !== first ? day >= last.day : day > last.day));
  const withOwn = new Map([
    ...taken,
    ...[first, last]
      .filter(({ days: own }) => own < WHOLE)
      .map(({ day, days: own }) => [day, (taken.get(day) ?? 0) + own] as const),
  ]);
  const own = sumOf(
    counted.filter(({ day }) => !before.some((one) => one.day === day) && !after.some((one) => one.day === day)),
  );
  return (
    own + countAdjacentLeave(before, withOwn, include_holidays) + countAdjacentLeave(after, withOwn, include_holidays)
  );
}
