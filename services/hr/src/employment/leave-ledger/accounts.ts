/**
 * Leave accounts for commands. A command opens an account, changes it by the rules of this folder, and stores it:
 *
 * ```ts
 * const leave = await openLeave(db, { employee_id, leave_type_id, deciding: application.id });
 * const shortage = walk(leave.account, leave.holder, leave.today, days);
 * if (shortage) throw InsufficientBalance({ details: … });
 * takeDays(leave.account, leave.today, days); // or restoreAll(leave.account, application.id, from)
 * const lines = await storeLeave(db, leave);
 * ```
 *
 * The employee is locked until the transaction ends, so that two commands never spend the same days. Opening settles
 * the account up to today, and storing settles it again. Days returned to an ended lot therefore expire immediately. A
 * rejected request adds the days that would have been carried. Days are in hundredths (`hundredths`).
 *
 * The days of a request are rows of `leave_days`, written with the request. Days of pending requests are held.
 */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { orderedId, today as dayIn } from '@suite/chassis/runtime';
import { type LockedEmployee, lockEmployee } from '../employment/employment.ts';
import type { Db } from '../../operations.ts';
import { type LeaveAccount, type LeaveLedgerLine, openAccount } from './account.rules.ts';
import { earlierOf } from './calendar.rules.ts';
import { type LeaveEntitlement, readAccounts, readHoldings } from './entitlements.ts';
import { settleAccount, settleRest } from './settlement.rules.ts';

/** Leave account of an employee, opened by a command. */
export interface OpenLeave extends LeaveEntitlement {
  account: LeaveAccount;
  /** Current day in the workspace zone. */
  today: string;
}

/** Returns the current day in the workspace time zone, which leave counts by. */
export async function leaveToday(db: Db): Promise<string> {
  const [settings] = await db.rows<{ timezone: string }>(sql`SELECT timezone FROM settings`);
  if (!settings) throw NotFound();
  return dayIn(settings.timezone);
}

/** Settles an account up to a day. After the last day of an employment, no days are granted, carried or expired. */
export function settleUntil({ account, holder }: Pick<OpenLeave, 'account' | 'holder'>, today: string): void {
  settleAccount(account, holder, { until: earlierOf(today, holder.term.to ?? today) });
}

/** Opens the accounts of a locked employee. @param only leave types. Defaults to all */
async function openAccounts(
  db: Db,
  { employment_id }: Pick<LockedEmployee, 'employment_id'>,
  { leave_type_ids, deciding }: { leave_type_ids?: string[]; deciding?: string | undefined },
): Promise<OpenLeave[]> {
  const today = await leaveToday(db);
  const types = leave_type_ids && { leave_type_ids };
  const holdings = await readHoldings(db, today, { employment_ids: [employment_id], ...types });
  const accounts = await readAccounts(db, holdings, deciding);
  return holdings.map((holding, at) => {
    const account = accounts[at]!;
    settleUntil({ ...holding, account }, today);
    return { ...holding, account, today };
  });
}

/**
 * Locks an employee and opens their account of a leave type for the current or last employment. The account is settled
 * up to today.
 * @param of.deciding request being decided, whose days are not held
 * @param locked the employee, if already locked
 * @throws NotFound
 */
export async function openLeave(
  db: Db,
  { employee_id, leave_type_id, deciding }: { employee_id: string; leave_type_id: string; deciding?: string },
  locked?: Pick<LockedEmployee, 'employment_id'>,
): Promise<OpenLeave> {
  const employee = locked ?? (await lockEmployee(db, employee_id));
  const [leave] = await openAccounts(db, employee, { leave_type_ids: [leave_type_id], deciding });
  if (!leave) throw NotFound();
  return leave;
}

/** Opens all leave accounts of a locked employee. */
export const openAllLeave = (db: Db, employee: Pick<LockedEmployee, 'employment_id'>): Promise<OpenLeave[]> =>
  openAccounts(db, employee, {});

const isNew = ({ id }: { id: string }): boolean => id.startsWith('new ');

/** Returns the lines posted since the account was opened, with their stored IDs. */
function newLines({ account }: OpenLeave): LeaveLedgerLine[] {
  const ids = new Map(account.lines.filter(isNew).map(({ id }) => [id, orderedId()]));
  return account.lines
    .filter(isNew)
    .map((line) => ({ ...line, id: ids.get(line.id)!, lot_id: ids.get(line.lot_id ?? '') ?? line.lot_id }));
}

/**
 * Settles open accounts again and writes their new lines in one statement. The accounts remain usable and can be stored
 * again.
 * @returns the written lines, in order
 */
export async function storeLeave(db: Db, ...leaves: readonly OpenLeave[]): Promise<LeaveLedgerLine[]> {
  const written = leaves.flatMap((leave) => {
    const { account, employee_id, employment_id, leave_type_id } = leave;
    settleUntil(leave, leave.today);
    const last_day = leave.holder.term.to;
    if (leave.ended && last_day) settleRest(account, { ...leave, last_day });
    const lines = newLines(leave);
    leave.account = openAccount([...account.lines.filter((line) => !isNew(line)), ...lines], account.held);
    return lines.map((line) => ({ ...line, employee_id, employment_id, leave_type_id }));
  });
  if (written.length === 0) return [];
  await db.rows(sql`
    INSERT INTO leave_ledger (id, employee_id, employment_id, leave_type_id, kind, days, valid_from, valid_to, lot_id,
      application_id, day, source_key, reason)
    SELECT id, employee_id, employment_id, leave_type_id, kind, days / 100, valid_from, valid_to, lot_id, application_id, day,
      source_key, reason
    FROM jsonb_to_recordset(${JSON.stringify(written)}::jsonb) AS line (id uuid, employee_id uuid, employment_id uuid,
      leave_type_id uuid, kind text, days numeric, valid_from date, valid_to date, lot_id uuid, application_id uuid, day date,
      source_key text, reason text)`);
  return written.map(({ employee_id: _, employment_id: __, leave_type_id: ___, ...line }) => line);
}
