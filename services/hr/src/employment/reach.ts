/** The people whose records of a kind somebody works with: all, himself, or also those whom he leads. */
import { type Caller, invalid, type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** The condition that an employee is one of them. @param noun the kind of record */
export const inReach = ({ record_scopes }: Pick<Caller, 'record_scopes'>, noun: string): Sql => {
  const scope = record_scopes[noun] ?? 'all';
  return scope === 'all' ? sql`TRUE` : sql`employees.id = ANY (employees_in_reach(${scope}))`;
};

/** Whether somebody is one of them, as they are now. */
export async function isInReach(db: Db, caller: Caller, noun: string, employee_id: string): Promise<boolean> {
  const found = await db.rows(sql`
    SELECT id FROM employees WHERE id = ${employee_id}::uuid AND ${inReach(caller, noun)}`);
  return found.length > 0;
}

/** Refuses a person whom a body names and who is none of them. @throws a 422 */
export async function assertInReach(
  { db, caller }: { db: Db; caller: Caller },
  noun: string,
  employee_id: string,
): Promise<void> {
  if (!(await isInReach(db, caller, noun, employee_id))) throw invalid('employee_id', 'There is no such record.');
}
