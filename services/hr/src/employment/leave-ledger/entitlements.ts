/** Reads leave accounts, for many employees with the same number of statements as for one. */
import { empty, type Sql, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';
import { type LeaveAccount, type LeaveDay, type LeaveLedgerLine, openAccount } from './account.rules.ts';
import { type HolderFacts, leaveHolderOf } from './holder.rules.ts';
import type { LeaveHolder } from './settlement.rules.ts';

/** Leave type of an employee's employment. */
export interface LeaveEntitlement {
  employee_id: string;
  employment_id: string;
  leave_type_id: string;
  holder: LeaveHolder;
  /** True if days of the leave type can be paid out. */
  encashable: boolean;
  /** True if the number of days is limited. */
  limited: boolean;
  /** True if the leave type is paid. */
  paid: boolean;
  /** True if the employment is over and the account is settled. */
  ended: boolean;
}

/** Key of a leave account. */
export type AccountKey = Pick<LeaveEntitlement, 'employment_id' | 'leave_type_id'>;

type FactsRow = HolderFacts & Pick<LeaveEntitlement, 'employee_id' | 'encashable' | 'limited' | 'paid' | 'ended'>;

/** Reads leave accounts by employment and type. @param leave_type_ids Defaults to all types. */
export async function readHoldings(
  db: Db,
  today: string,
  { employment_ids, leave_type_ids }: { employment_ids: readonly string[]; leave_type_ids?: readonly string[] },
): Promise<LeaveEntitlement[]> {
  const ofTypes = leave_type_ids ? sql`AND leave_types.id = ANY (${leave_type_ids}::uuid[])` : empty;
  const rows = await db.rows<FactsRow>(sql`
    SELECT employments.employee_id, employments.id AS employment_id, leave_types.id AS leave_type_id,
      employments.joining_date, employments.exit_date, employees.gender,
      (employments.created_at AT TIME ZONE settings.timezone)::date AS employment_entered_on,
      (leave_types.created_at AT TIME ZONE settings.timezone)::date AS type_entered_on,
      leave_types.encashable, (leave_types.paid OR leave_types.days_per_year > 0) AS limited, leave_types.paid,
      (employees.status = 'left' AND employments.exit_date IS NOT NULL) AS ended, leave_types.gender AS for_gender, leave_types.employment_types AS for_employment_types,
      settings.entitlement_step::text AS entitlement_step,
      CASE WHEN leave_types.employment_types = '{}' THEN '[]' ELSE coalesce((
        SELECT jsonb_agg(jsonb_build_object('effective_from', to_char(effective_from, 'YYYY-MM-DD'), 'seq', seq, 'value', value))
        FROM employee_history WHERE employee_history.employee_id = employees.id AND employment_id = employments.id
          AND field = 'employment_type'), '[]') END AS employment_types,
      jsonb_build_object('days_per_year', days_per_year::text, 'accrual', accrual,
        'carry_forward_max', carry_forward_max::text, 'carry_expires_after_days', carry_expires_after_days,
        'carry_expires_on', carry_expires_on, 'allow_negative_to', allow_negative_to::text, 'plan_ahead', plan_ahead,
        'active', active) AS policy
    FROM employments JOIN employees ON employees.id = employments.employee_id CROSS JOIN leave_types CROSS JOIN settings
    WHERE employments.id = ANY (${employment_ids}::uuid[]) ${ofTypes}`);
  return rows.map(({ employee_id, encashable, limited, paid, ended, ...facts }) => {
    const { employment_id, leave_type_id } = facts;
    const of = { employee_id, employment_id, leave_type_id };
    return { ...of, encashable, limited, paid, ended, holder: leaveHolderOf(facts, today) };
  });
}

type LineRow = LeaveLedgerLine & AccountKey;
type LeaveDayRow = LeaveDay & AccountKey;

/** Returns pairs of employment and leave type, as rows named `account`. */
const pairs = (accounts: readonly AccountKey[]): Sql => sql`
  unnest(${accounts.map(({ employment_id }) => employment_id)}::uuid[],
    ${accounts.map(({ leave_type_id }) => leave_type_id)}::uuid[]) AS account (employment_id, leave_type_id)`;

/** Reads the lines of accounts, in the order they were written. */
const readLines = (db: Db, accounts: readonly AccountKey[]): Promise<LineRow[]> =>
  db.rows<LineRow>(sql`
    SELECT account.employment_id, account.leave_type_id, line.id, line.kind, (line.days * 100)::int AS days, line.valid_from,
      line.valid_to, line.lot_id, line.application_id, line.day, line.source_key, line.reason
    FROM ${pairs(accounts)} JOIN leave_ledger AS line
      ON line.employment_id = account.employment_id AND line.leave_type_id = account.leave_type_id
    ORDER BY line.id`);

/** Reads the days of pending requests. @param deciding request being decided, whose days are not held */
const readPendingDays = (
  db: Db,
  accounts: readonly AccountKey[],
  deciding: string | undefined,
): Promise<LeaveDayRow[]> =>
  db.rows<LeaveDayRow>(sql`
    SELECT account.employment_id, account.leave_type_id, leave_days.application_id, leave_days.day,
      (leave_days.days * 100)::int AS days
    FROM ${pairs(accounts)} JOIN employments ON employments.id = account.employment_id
      JOIN leave_applications AS asked ON asked.employee_id = employments.employee_id
        AND asked.leave_type_id = account.leave_type_id AND asked.status IN ('pending', 'first_approved')
        AND asked.id IS DISTINCT FROM ${deciding ?? null}::uuid
      JOIN leave_days ON leave_days.application_id = asked.id AND leave_days.day >= employments.joining_date
        AND (employments.exit_date IS NULL OR leave_days.day <= employments.exit_date)
    ORDER BY leave_days.day`);

const nameOf = ({ employment_id, leave_type_id }: AccountKey): string => `${employment_id} ${leave_type_id}`;

/** Reads accounts as last stored, in the order of their keys. */
export async function readAccounts(
  db: Db,
  accounts: readonly AccountKey[],
  deciding?: string,
): Promise<LeaveAccount[]> {
  if (accounts.length === 0) return [];
  const lines = Map.groupBy(await readLines(db, accounts), nameOf);
  const pendingDays = Map.groupBy(await readPendingDays(db, accounts, deciding), nameOf);
  return accounts.map((account) => openAccount(lines.get(nameOf(account)) ?? [], pendingDays.get(nameOf(account))));
}
