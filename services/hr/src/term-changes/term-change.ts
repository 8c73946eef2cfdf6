/** Changes of terms that somebody decides on: a promotion or a transfer holds from a day on. */
import { invalid, sql } from '@suite/chassis';
import { EmployeeUpdated } from '@suite/proto/hr/v1/events';
import type { Sealed } from '@suite/sealed';
import { inYears } from '../employees/employee.rules.ts';
import { assertNotLeft, type LockedEmployee } from '../employment/employment.ts';
import { applyTerms, type Terms, termsOf, writeTerms } from '../employment/terms.ts';
import type { CommandContext, Db } from '../operations.ts';

/** The terms of a day on which a change is to hold, as they are known by now. */
export type TermsBefore = Partial<Terms>;

/**
 * Makes sure that terms of somebody may change on a day.
 * @returns the terms that hold on it without the change
 * @throws EmploymentEnded, a 422 for a day outside of the employment, or too far ahead
 */
export async function termsBefore(
  db: Db,
  employee: LockedEmployee,
  effective_date: string,
  day: string,
): Promise<TermsBefore> {
  assertNotLeft(employee);
  const { id, joining_date, exit_date } = employee;
  const refuse = (why: string) => invalid('effective_date', why);
  if (effective_date < joining_date) throw refuse('This day is before the employment.');
  if (exit_date && effective_date > exit_date) throw refuse('This day is after the last day of the employment.');
  if (effective_date > inYears(day, 1)) throw refuse('Terms change at most a year ahead.');
  return (await termsOf(db, id, effective_date)) ?? {};
}

/** The department on a day, with transfers that are not in effect yet: somebody is promoted where he is going to be. */
export async function departmentOn(
  db: Db,
  employee_id: string,
  effective_date: string,
  { department_id = null }: TermsBefore,
): Promise<string | null> {
  const [transfer] = await db.rows<{ to_department_id: string }>(sql`
    SELECT to_department_id FROM employee_transfers
    WHERE employee_id = ${employee_id}::uuid AND status IN ('pending', 'approved') AND to_department_id IS NOT NULL
      AND effective_date <= ${effective_date}::date
    ORDER BY effective_date DESC, id DESC LIMIT 1`);
  return transfer?.to_department_id ?? department_id;
}

/** Refuses a change by which nothing changes. @throws a 422 that names the first of the fields */
export function assertChanges(changed: Partial<Terms>, before: TermsBefore, why: string): void {
  const fields = Object.keys(changed) as (keyof Terms)[];
  if (fields.every((field) => changed[field] === (before[field] ?? null))) throw invalid(`to_${fields[0]}`, why);
}

/** The command or the schedule in which a change takes effect. */
export type EffectContext = Pick<CommandContext, 'db' | 'emit' | 'keys'>;

/** How the schedule has changes of a kind take effect on their day. */
export interface DatedEffect {
  table: string;
  /** Nothing happens to a change that is in effect already. @throws a fault for what does not hold any more */
  takeEffect(context: EffectContext, id: string, day: string): Promise<unknown>;
  /** Takes back what cannot take effect. */
  lapse(db: Db, id: string, remark: string): Promise<unknown>;
}

/** The change that takes effect. */
export interface TermChange {
  id: string;
  cause: 'promotion' | 'transfer';
  effective_date: string;
  /** The day that it is now. */
  day: string;
}

/** Has terms hold from the day of a change on; those of later days stay as they are. @param employee locked */
export async function putIntoEffect(
  { db, emit }: Pick<EffectContext, 'db' | 'emit'>,
  employee: LockedEmployee,
  { id: cause_id, cause, effective_date, day }: TermChange,
  { terms, salary }: { terms: Partial<Terms>; salary?: { sealed: Sealed; text: string } | undefined },
): Promise<void> {
  const { id: employee_id, employment_id, user_id } = employee;
  await writeTerms(db, { employee_id, employment_id, effective_from: effective_date, cause, cause_id }, terms, salary);
  await applyTerms(db, employee_id, day);
  const fields = [...Object.keys(terms), ...(salary ? ['salary'] : [])];
  emit(EmployeeUpdated, { employee_id, user_id: user_id ?? '', fields, effective_from: effective_date });
}
