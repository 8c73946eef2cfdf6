/** Leave types that an employee may take, with their balances. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { daysFrom } from '@suite/time-zones';
import { isApplicableTo } from '../leave-applications/leave-request.ts';
import { balanceAmounts } from '../../employment/leave-balances/leave-balance.view.ts';
import { leaveToday, settleUntil } from '../../employment/leave-ledger/accounts.ts';
import { lastDayOfYear, yearOf } from '../../employment/leave-ledger/calendar.rules.ts';
import { type LeaveEntitlement, readAccounts, readHoldings } from '../../employment/leave-ledger/entitlements.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';
import type { OwnLeaveType } from './own-leave.schema.ts';
import type { z } from 'zod';

const DAYS_MAX = 731;

type TypeBalance = { balance: ReturnType<typeof balanceAmounts>; projected_year_end: string | null };
type TypeRow = Omit<z.output<typeof OwnLeaveType>, keyof TypeBalance> & {
  gender: string | null;
  employment_types: string[];
};

/** Returns the active leave types that suit an employee's gender and employment type. */
async function typesOf(db: Db, employee_id: string): Promise<{ employment_id: string; types: TypeRow[] }> {
  const rows = await db.rows<
    TypeRow & { person: { gender: string | null; employment_type: string }; employment_id: string }
  >(sql`
    SELECT leave_types.id, leave_types.name, code, color, paid, allow_half_day, requires_reason, requires_document_after, min_notice_days,
      max_consecutive, leave_types.gender, employment_types, (paid OR days_per_year > 0) AS limited, person, employment_id
    FROM leave_types, LATERAL (
      SELECT jsonb_build_object('gender', employees.gender, 'employment_type', employment_type) AS person, (SELECT employments.id
        FROM employments WHERE employments.employee_id = employees.id ORDER BY joining_date DESC LIMIT 1) AS employment_id
      FROM employees WHERE employees.id = ${employee_id}::uuid) AS own
    WHERE active ORDER BY leave_types.name`);
  const own = rows.filter(({ person, ...type }) => isApplicableTo(type, person));
  return {
    employment_id: rows[0]?.employment_id ?? '',
    types: own.map(({ person: _, employment_id: __, ...type }) => type),
  };
}

/** Returns balances of accounts as of a day, and as of the last day of its year. */
async function balancesOf(
  db: Db,
  holdings: readonly LeaveEntitlement[],
  { today, day }: { today: string; day: string },
): Promise<Map<string, TypeBalance>> {
  const accounts = await readAccounts(db, holdings);
  return new Map(
    holdings.map((holding, at) => {
      const account = accounts[at]!;
      settleUntil({ ...holding, account }, today);
      const { available } = balanceAmounts(account, holding, today, lastDayOfYear(yearOf(day)));
      return [
        holding.leave_type_id,
        { balance: balanceAmounts(account, holding, today, day), projected_year_end: available },
      ];
    }),
  );
}

/**
 * Returns an employee's leave types with balances. Shared by `hrm/home` and `hrm/get-leaves-types`.
 * @param days current day in the workspace zone, and the day of the balances
 */
export async function ownBalances(db: Db, employee_id: string, days: { today: string; day: string }) {
  const { employment_id, types } = await typesOf(db, employee_id);
  if (types.length === 0) return [];
  const leave_type_ids = types.map(({ id }) => id);
  const holdings = await readHoldings(db, days.today, { employment_ids: [employment_id], leave_type_ids });
  const balances = await balancesOf(db, holdings, days);
  return types.map((type) => ({ ...type, ...balances.get(type.id)! }));
}

/** Returns the caller's leave types with balances. @throws NotAnEmployee, a 422 fault for a day too far away */
export async function ownLeaveTypes(db: Db, caller: Caller, as_of: string | undefined) {
  const { id } = await currentEmployee(db, caller);
  const today = await leaveToday(db);
  const day = as_of ?? today;
  if (Math.abs(daysFrom(today, day)) > DAYS_MAX) throw invalid('as_of', 'Enter a day within two years of today.');
  return await ownBalances(db, id, { today, day });
}
