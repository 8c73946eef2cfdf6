/** End of an employment: notice is given, and the employee leaves after the last day. */
import { sql } from '@suite/chassis/database';
import type { Emit } from '@suite/chassis/operations';
import { EmployeeLeft, EmployeeStatusChanged } from '@suite/proto/hr/v1/events';
import type { Db } from '../../operations.ts';
import { assertNotLeft, type LockedEmployee } from './employment.ts';
import { employeeStates, ExitBeforeJoining } from './employment.rules.ts';
import { applyTerms, writeTerms } from './employment-terms.ts';

/** Reasons for the end of an employment. */
export const EXIT_CAUSES = ['resigned', 'terminated', 'retired'] as const;
export type ExitCause = (typeof EXIT_CAUSES)[number];

interface LeavingContext {
  db: Db;
  emit: Emit;
}

/** Announces the new status of a locked employee. */
export function announceStatus(emit: Emit, { id, user_id, status: from }: LockedEmployee, status: string): void {
  if (status !== from) emit(EmployeeStatusChanged, { employee_id: id, user_id: user_id ?? '', status, from });
}

/**
 * Ends an employment with a last day, as an approved resignation or termination does. If that day is over, the employee
 * leaves with the next run of the effective-date schedule. Until then, `withdrawNotice` can continue the employment.
 * @param employee locked
 * @throws EmploymentEnded, ExitBeforeJoining, InvalidTransition for an employee who has not joined yet
 */
export async function giveNotice(
  { db, emit }: LeavingContext,
  employee: LockedEmployee,
  { exit_date, cause }: { exit_date: string; cause: ExitCause },
): Promise<void> {
  assertNotLeft(employee);
  if (exit_date < employee.joining_date) throw ExitBeforeJoining({ field: 'exit_date' });
  const last_day = new Date(exit_date);
  const isNew = await employeeStates.move(db.employee, employee.id, 'give_notice', { exit_date: last_day });
  if (!isNew) await db.employee.updateMany({ where: { id: employee.id }, data: { exit_date: last_day } });
  await db.employment.updateMany({
    where: { id: employee.employment_id },
    data: { exit_date: last_day, exit_cause: cause },
  });
  announceStatus(emit, employee, 'on_notice');
}

/** Withdraws a notice before the last day is over. @param employee locked @throws InvalidTransition */
export async function withdrawNotice({ db, emit }: LeavingContext, employee: LockedEmployee): Promise<void> {
  if (!(await employeeStates.move(db.employee, employee.id, 'stay', { exit_date: null }))) return;
  await db.employment.updateMany({
    where: { id: employee.employment_id },
    data: { exit_date: null, exit_cause: null },
  });
  announceStatus(emit, employee, 'active');
}

/** Employee with their manager from a given day. */
interface DirectReport {
  employee_id: string;
  employment_id: string;
  effective_from: string;
}

/** Moves current and future team members of a former employee to that employee's manager. */
async function reassignReports(db: Db, { id, manager_id }: LockedEmployee, first_day: string): Promise<void> {
  const led = await db.rows<DirectReport>(sql`
    WITH latest AS (
      SELECT DISTINCT ON (employee_id, effective_from) employee_id, employment_id, value, effective_from
      FROM employee_history WHERE field = 'manager_id'
      ORDER BY employee_id, effective_from, seq DESC),
    held AS (
      SELECT *, lead(effective_from, 1, 'infinity') OVER (PARTITION BY employee_id ORDER BY effective_from) AS until FROM latest)
    SELECT held.employee_id, held.employment_id, greatest(held.effective_from, ${first_day}::date) AS effective_from
    FROM held JOIN employees ON employees.id = held.employee_id AND employees.status <> 'left'
    WHERE held.value = ${id} AND held.until > ${first_day}::date
    ORDER BY held.employee_id, held.effective_from`);
  for (const source of led) await writeTerms(db, { ...source, cause: 'manual' }, { manager_id });
  for (const employee_id of new Set(led.map((one) => one.employee_id))) await applyTerms(db, employee_id, first_day);
}

/**
 * Completes the exit of an employee whose last day is over. Their team moves to their manager. Other services end their
 * login and their work.
 * @param employee locked
 * @param first_day first day after the employment
 */
export async function completeExit(
  { db, emit }: LeavingContext,
  employee: LockedEmployee,
  first_day: string,
): Promise<void> {
  const { id, user_id, employment_id, exit_date } = employee;
  if (!(await employeeStates.move(db.employee, id, 'leave'))) return;
  await reassignReports(db, employee, first_day);
  await db.department.updateMany({ where: { head_id: id }, data: { head_id: null } });
  const { exit_cause } = await db.employment.findFirstOrThrow({ where: { id: employment_id } });
  announceStatus(emit, employee, 'left');
  emit(EmployeeLeft, { employee_id: id, user_id: user_id ?? '', last_day: exit_date!, cause: exit_cause! });
}
