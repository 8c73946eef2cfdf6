/** The caller as an employee, for the `/api/hrm` operations. */
import { empty, type Sql, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { onlyFor, signedIn } from '@suite/chassis/operations';
import type { Db } from '../../operations.ts';

export const NotAnEmployee = fault(
  403,
  'not_an_employee',
  'Only employees can do this. Ask HR to add you as an employee.',
);

/** Employee of the caller, with the fields that self-service needs. */
export interface Self {
  id: string;
  name: string;
  code: string;
  status: string;
}

/** Finds the caller among current employees. @throws NotAnEmployee */
export async function selfOf(db: Db, { user_id }: Pick<Caller, 'user_id'>, lock: Sql = empty): Promise<Self> {
  const [self] = await db.rows<Self>(sql`
    SELECT id, name, code, status FROM employees WHERE user_id = ${user_id}::uuid AND status <> 'left' ${lock}`);
  if (!self) throw NotAnEmployee();
  return self;
}

/** Finds the caller and locks their employee until the transaction ends. @throws NotAnEmployee */
export const lockSelf = (db: Db, caller: Pick<Caller, 'user_id'>): Promise<Self> =>
  selfOf(db, caller, sql`FOR NO KEY UPDATE`);

/** Access for current employees. Other callers get `not_an_employee` before any error in their request. */
export const employeesOnly = onlyFor(signedIn, (db: Db, caller) => selfOf(db, caller));
