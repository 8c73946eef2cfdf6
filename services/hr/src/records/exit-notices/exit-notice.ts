/** Ends employments by a resignation or a termination. An employment has only one pending exit. */
import { sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { clock, today } from '@suite/chassis/runtime';
import {
  decideRecord,
  type EmployeeRecord,
  type RecordKind,
} from '../../employees/employee-records/employee-record.ts';
import type { Decision } from '../../employees/employee-records/employee-record.schema.ts';
import { assertNotLeft, type LockedEmployee } from '../../employment/employment/employment.ts';
import { employeeStates } from '../../employment/employment/employment.rules.ts';
import { type ExitCause, giveNotice, withdrawNotice } from '../../employment/employment/exit.ts';
import type { CommandContext, Db } from '../../operations.ts';
import {
  AlreadyLeaving,
  assertNotice,
  LastDayOver,
  type ExitNotice,
  resignationStates,
  terminationStates,
} from './exit-notice.rules.ts';

/**
 * Checks that a locked employee can give or receive notice.
 * @throws EmploymentEnded, AlreadyLeaving, InvalidTransition for an employee who has not joined yet, and as
 * `assertNotice`
 */
export async function assertMayLeave(
  { db, caller }: { db: Db; caller: Caller },
  employee: LockedEmployee,
  notice: ExitNotice,
  field: 'last_day' | 'date',
): Promise<void> {
  const { id, status } = employee;
  assertNotLeft(employee);
  const [open] = await db.rows(sql`
    SELECT id FROM resignations WHERE employee_id = ${id}::uuid AND status IN ('pending', 'approved')
    UNION ALL SELECT id FROM terminations WHERE employee_id = ${id}::uuid AND status IN ('pending', 'approved') LIMIT 1`);
  if (open || status === 'on_notice') throw AlreadyLeaving();
  employeeStates.assertFits('give_notice', employee, caller);
  await assertLongEnough(db, employee, notice, field);
}

/** Checks the length of an updated notice. @throws the faults of `assertNotice` */
export async function assertLongEnough(
  db: Db,
  { id, joining_date }: LockedEmployee,
  notice: ExitNotice,
  field: 'last_day' | 'date',
): Promise<void> {
  const [terms] = await db.rows<{ notice_days: number | null }>(sql`
    SELECT notice_days FROM employees WHERE id = ${id}::uuid`);
  assertNotice(notice, { joining_date, notice_days: terms!.notice_days }, field);
}

/**
 * Decides on a notice. After approval, the employee serves the notice period until the last day. Withdrawal before the end of that day
 * continues the employment.
 * @param endOf returns the last day and the exit cause of a record
 * @throws OwnRecord, EmploymentEnded, ExitBeforeJoining, LastDayOver, InvalidTransition, Stale
 */
export async function decideNotice<R extends EmployeeRecord>(
  context: CommandContext,
  kind: RecordKind,
  decision: Omit<Decision, 'version'> & { id: string; expect: number | undefined },
  endOf: (record: R) => { exit_date: string; cause: ExitCause },
): Promise<void> {
  const day = today(context.caller.timezone);
  await decideRecord<R>(context, kind, decision, {
    approve: (record, employee) => giveNotice(context, employee, endOf(record)),
    async withdraw({ status }, employee) {
      if (status !== 'approved') return;
      if (employee.status === 'left' || (employee.exit_date ?? day) < day) throw LastDayOver();
      await withdrawNotice(context, employee);
    },
  });
}

/** Withdraws approved notices of an employee whose employment continues. */
export async function withdrawNoticesOf(
  { db, caller }: { db: Db; caller: Caller },
  employee_id: string,
): Promise<void> {
  const [resigned, terminated] = [resignationStates.moving('withdraw'), terminationStates.moving('withdraw')];
  const decided = sql`decided_by = ${caller.user_id}::uuid, decided_at = ${clock.now()}`;
  const approved = sql`employee_id = ${employee_id}::uuid AND status = 'approved'`;
  await db.rows(sql`UPDATE resignations SET ${resigned.set}, ${decided} WHERE ${approved} AND ${resigned.guard}`);
  await db.rows(sql`UPDATE terminations SET ${terminated.set}, ${decided} WHERE ${approved} AND ${terminated.guard}`);
}

/** Settles the notices of a former employee. Approved ones take effect, and pending ones lapse. */
export async function endNotices({ db }: { db: Db }, { employee_id }: { employee_id: string }): Promise<void> {
  for (const verb of ['take_effect', 'lapse'] as const) {
    const [resigned, terminated] = [resignationStates.moving(verb), terminationStates.moving(verb)];
    const own = sql`employee_id = ${employee_id}::uuid`;
    await db.rows(sql`UPDATE resignations SET ${resigned.set} WHERE ${own} AND ${resigned.guard}`);
    await db.rows(sql`UPDATE terminations SET ${terminated.set} WHERE ${own} AND ${terminated.guard}`);
  }
}
