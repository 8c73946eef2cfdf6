/** Changes of terms that require a decision: promotions and transfers, effective from a given day. */
import { sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import type { FieldCipher } from '@suite/field-encryption';
import { inYears } from '../../employment/employee-users/employee.rules.ts';
import { assertNotLeft, type LockedEmployee } from '../../employment/employment/employment.ts';
import {
  applyTerms,
  type EmploymentTerms,
  employmentTermsOf,
  writeTerms,
} from '../../employment/employment/employment-terms.ts';
import type { CommandContext, Db } from '../../operations.ts';

/** Terms on the effective day of a change, as known today. */
export type PreviousTerms = Partial<EmploymentTerms>;

/**
 * Checks that an employee's terms can change on a day.
 * @returns the terms on that day without the change
 * @throws EmploymentEnded, a 422 for a day outside the employment or too far ahead
 */
export async function termsBefore(
  db: Db,
  employee: LockedEmployee,
  effective_date: string,
  day: string,
): Promise<PreviousTerms> {
  assertNotLeft(employee);
  const { id, joining_date, exit_date } = employee;
  const invalidDate = (why: string) => invalid('effective_date', why);
  if (effective_date < joining_date) throw invalidDate('This day is before the employment. Choose a later day.');
  if (exit_date && effective_date > exit_date)
    throw invalidDate('This day is after the last day of the employment. Choose an earlier day.');
  if (effective_date > inYears(day, 1)) throw invalidDate('Choose a day at most one year ahead.');
  return (await employmentTermsOf(db, id, effective_date)) ?? {};
}

/** Returns the department on a day, including pending transfers. A promotion applies to the future department. */
export async function departmentOn(
  db: Db,
  employee_id: string,
  effective_date: string,
  { department_id = null }: PreviousTerms,
): Promise<string | null> {
  const [transfer] = await db.rows<{ to_department_id: string }>(sql`
    SELECT to_department_id FROM employee_transfers
    WHERE employee_id = ${employee_id}::uuid AND status IN ('pending', 'approved') AND to_department_id IS NOT NULL
      AND effective_date <= ${effective_date}::date
    ORDER BY effective_date DESC, id DESC LIMIT 1`);
  return transfer?.to_department_id ?? department_id;
}

/** Rejects a change without an effect. @throws a 422 that names the first of the fields */
export function assertChanges(changed: Partial<EmploymentTerms>, before: PreviousTerms, why: string): void {
  const fields = Object.keys(changed) as (keyof EmploymentTerms)[];
  if (fields.every((field) => changed[field] === (before[field] ?? null))) throw invalid(`to_${fields[0]}`, why);
}

/** Context of the command or schedule that applies a change. */
export type EffectContext = Pick<CommandContext, 'db' | 'emit' | 'keys'>;

/** Scheduled application of a kind of change on its effective day. */
export interface ScheduledEffect {
  table: string;
  /** Applies a change. An effective change is skipped. @throws a fault for a condition that is no longer met */
  takeEffect(context: EffectContext, id: string, day: string): Promise<unknown>;
  /** Withdraws a change that cannot be applied. */
  lapse(db: Db, id: string, remark: string): Promise<unknown>;
}

/** Change that takes effect. */
export interface TermChange {
  id: string;
  cause: 'promotion' | 'transfer';
  effective_date: string;
  /** Current day. */
  day: string;
}

/** Applies terms from the day of a change. Terms of later days do not change. @param employee locked */
export async function applyTermChange(
  { db, emit }: Pick<EffectContext, 'db' | 'emit'>,
  employee: LockedEmployee,
  { id: cause_id, cause, effective_date, day }: TermChange,
  { terms, salary }: { terms: Partial<EmploymentTerms>; salary?: { cipher: FieldCipher; text: string } | undefined },
): Promise<void> {
  const { id: employee_id, employment_id, user_id } = employee;
  await writeTerms(db, { employee_id, employment_id, effective_from: effective_date, cause, cause_id }, terms, salary);
  await applyTerms(db, employee_id, day);
  const fields = [...Object.keys(terms), ...(salary ? ['salary'] : [])];
  emit(EmployeeUpdated, { employee_id, user_id: user_id ?? '', fields, effective_from: effective_date });
}
