/** Finds and locks employees and their employments for commands. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { EmploymentEnded, OwnRecord } from './employment.rules.ts';

/** Employee, locked by a command. */
export interface LockedEmployee {
  id: string;
  user_id: string | null;
  name: string;
  status: string;
  joining_date: string;
  exit_date: string | null;
  probation_end: string | null;
  manager_id: string | null;
  made_user: boolean;
  version: number;
  employment_id: string;
}

/** Locks an employee for a change, with the current or last employment. @throws NotFound */
export async function lockEmployee(db: Db, id: string): Promise<LockedEmployee> {
  const [employee] = await db.rows<Omit<LockedEmployee, 'employment_id'>>(sql`
    SELECT id, user_id, name, status, joining_date, exit_date, probation_end, manager_id, made_user, version FROM employees
    WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (!employee) throw NotFound();
  const [employment] = await db.rows<{ id: string }>(sql`
    SELECT id FROM employments WHERE employee_id = ${id}::uuid ORDER BY joining_date DESC LIMIT 1`);
  return { ...employee, employment_id: employment!.id };
}

/** Rejects callers who act on their own record. @throws OwnRecord */
export function assertOther({ user_id }: Pick<LockedEmployee, 'user_id'>, caller: Caller): void {
  if (user_id !== null && user_id === caller.user_id) throw OwnRecord();
}

/** Rejects changes to a former employee. @throws EmploymentEnded */
export function assertNotLeft({ status }: Pick<LockedEmployee, 'status'>): void {
  if (status === 'left') throw EmploymentEnded();
}
