/** Views of leave balances. Balances are not stored, but calculated from the ledger for each page. */
import { regardlessOfVisibility, type Sql, sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Page, paginate } from '@suite/chassis/lists';
import { today as dayIn } from '@suite/chassis/runtime';
import type { z } from 'zod';
import { type OpenLeave, settleUntil } from '../leave-ledger/accounts.ts';
import type { LeaveAccount } from '../leave-ledger/account.rules.ts';
import { balanceAsOf } from '../leave-ledger/balance.rules.ts';
import { daysText } from '../leave-ledger/holder.rules.ts';
import { type LeaveEntitlement, readAccounts, readHoldings } from '../leave-ledger/entitlements.ts';
import type { Db } from '../../operations.ts';
import type { LeaveBalance } from './leave-balance.schema.ts';

/** Constant ID of an account: a UUID of version 8, intended for computed IDs. */
const ID = sql`overlay(overlay(md5(employments.id::text || leave_types.id::text) PLACING '8' FROM 13) PLACING '8' FROM 17)::uuid`;

/**
 * One row for each leave type that an employee can take on a day or has an account for. Includes the name of the ledger
 * table, whose visibility rules apply.
 */
const balancesOn = (day: string): Sql => sql`(
  SELECT employees.workspace_id, ${ID} AS id, employees.id AS employee_id,
    employees.code AS employee_code, employees.name AS employee_name, employees.branch_id, employees.department_id,
    employments.id AS employment_id, leave_types.id AS leave_type_id, leave_types.code AS leave_type_code,
    leave_types.name AS leave_type_name, leave_types.paid, leave_types.updated_at AS type_updated_at,
    employments.created_at AS employment_created_at
  FROM employees JOIN employments ON employments.workspace_id = employees.workspace_id AND employments.employee_id = employees.id
      AND employments.joining_date <= ${day}::date AND (employments.exit_date IS NULL OR employments.exit_date >= ${day}::date)
    JOIN leave_types ON leave_types.workspace_id = employees.workspace_id AND (
      leave_types.active AND (leave_types.gender IS NULL OR leave_types.gender = employees.gender)
        AND (leave_types.employment_types = '{}' OR employees.employment_type = ANY (leave_types.employment_types))
      OR EXISTS (SELECT FROM leave_ledger AS line WHERE line.workspace_id = employments.workspace_id
        AND line.employment_id = employments.id AND line.leave_type_id = leave_types.id)))`;

const TABLE = 'leave_ledger';

/** When a balance changed last. Looking that up for one balance costs more than the rest of its row. */
const UPDATED_AT = sql`SELECT greatest(leave_changed_at(leave_ledger.employee_id, leave_ledger.employment_id, leave_ledger.leave_type_id),
  leave_ledger.type_updated_at, leave_ledger.employment_created_at)`;

/** The same for the balances of a whole list, which is filtered by this time: the changes of all accounts are read once. */
const balancesWithChangeTimes = (day: string): Sql => sql`(
  WITH changes AS MATERIALIZED (SELECT * FROM leave_change_times())
  SELECT balance.*, greatest(account.changed_at, asked.changed_at, balance.type_updated_at, balance.employment_created_at) AS updated_at
  FROM ${balancesOn(day)} AS balance
    LEFT JOIN changes AS account ON account.employment_id = balance.employment_id AND account.leave_type_id = balance.leave_type_id
    LEFT JOIN changes AS asked ON asked.employee_id = balance.employee_id AND asked.leave_type_id = balance.leave_type_id)`;

const YEARS = 2;

/** Checks that the requested day is not too far away. */
function assertNear(day: string, today: string): void {
  const year = Number(today.slice(0, 4));
  const [first, last] = [year - YEARS, year + YEARS].map((other) => `${other}${today.slice(4)}`);
  if (day < first! || day > last!) throw invalid('as_of', `Enter a day from ${first} to ${last}.`);
}

/** Returns the totals of a balance in the response format. @param account settled up to today */
export function balanceAmounts(
  account: LeaveAccount,
  { holder, limited }: Pick<LeaveEntitlement, 'holder' | 'limited'>,
  today: string,
  as_of: string,
) {
  const { lots, ...amounts } = balanceAsOf(account, holder, today, as_of);
  const figures = Object.fromEntries(Object.entries(amounts).map(([name, amount]) => [name, daysText(amount)]));
  return {
    as_of,
    ...(figures as Record<keyof typeof amounts, string>),
    available: limited ? (figures['available'] as string) : null,
    lots: lots
      .filter(({ left }) => left > 0)
      .map(({ id, granted, left, ...lot }) => ({
        ...lot,
        id: id.startsWith('new ') ? null : id,
        days: daysText(granted),
        left: daysText(left),
      })),
  };
}

type BalanceKey = Pick<z.input<typeof LeaveBalance>, 'employment_id' | 'leave_type_id'>;

/**
 * Calculates the balances of some rows. The number of statements does not depend on the rows. Pending days count even
 * if the caller cannot see the requests.
 */
async function fill(
  db: Db,
  rows: readonly BalanceKey[],
  { as_of, today }: { as_of: string; today: string },
): Promise<void> {
  const ids = (name: keyof BalanceKey) => [...new Set(rows.map((row) => row[name]))];
  const found = await readHoldings(db, today, {
    employment_ids: ids('employment_id'),
    leave_type_ids: ids('leave_type_id'),
  });
  const holdings = new Map(found.map((holding) => [holding.holder.key, holding]));
  const accounts = await regardlessOfVisibility(() => readAccounts(db, rows));
  rows.forEach((row, at) => {
    const holding = holdings.get(`${row.employment_id} ${row.leave_type_id}`)!;
    settleUntil({ ...holding, account: accounts[at]! }, today);
    Object.assign(row, balanceAmounts(accounts[at]!, holding, today, as_of));
  });
}

/** Lists the balances that the caller can see, of employees that they can see, one page. */
export async function listBalances(
  { db, caller }: { db: Db; caller: Caller },
  request: ListRequest<{ as_of?: string | undefined }>,
): Promise<Page> {
  const today = dayIn(caller.timezone);
  const as_of = request.also.as_of ?? today;
  assertNear(as_of, today);
  const columns = request.columns.filter((name) => COLUMNS.has(name));
  const columnNames = [...new Set([...columns, 'employment_id', 'leave_type_id'])];
  const page = await paginate(
    db,
    { ...request, columns: columnNames, expand: new Set() },
    request.filters.some(({ column }) => column === 'updated_at')
      ? { table: TABLE, from: balancesWithChangeTimes(as_of) }
      : { table: TABLE, from: balancesOn(as_of), compute: { updated_at: UPDATED_AT } },
  );
  await fill(db, page.rows as BalanceKey[], { as_of, today });
  if (!request.expand.has('lots')) for (const row of page.rows as { lots?: unknown }[]) delete row.lots;
  return page;
}

const COLUMNS = new Set([
  'id',
  'employee_id',
  'employee_code',
  'employee_name',
  'branch_id',
  'department_id',
  'employment_id',
  'leave_type_id',
  'leave_type_code',
  'leave_type_name',
  'paid',
  'updated_at',
]);

/** Returns the balance of a stored account with its lots, as commands return it. @throws NotFound */
export async function readBalance(db: Db, leave: OpenLeave, as_of: string) {
  const { employment_id, leave_type_id, account, today } = leave;
  const [row] = await db.rows<z.input<typeof LeaveBalance>>(sql`
    SELECT leave_ledger.*, (${UPDATED_AT}) AS updated_at FROM ${balancesOn(as_of)} AS leave_ledger
    WHERE employment_id = ${employment_id}::uuid AND leave_type_id = ${leave_type_id}::uuid`);
  if (!row) throw NotFound();
  return { ...row, ...balanceAmounts(account, leave, today, as_of) };
}
