/** The caller as an employee, for the `/api/hrm` operations. */
import { empty, oncePerTransaction, type Sql, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { withCheck, anyUser } from '@suite/chassis/operations';
import type { Db } from '../../operations.ts';

export const NotAnEmployee = fault(
  403,
  'not_an_employee',
  'Only employees can do this. Ask HR to add you as an employee.',
);

/** Employee of the caller, with the fields that self-service needs. */
export interface CurrentEmployee {
  id: string;
  name: string;
  code: string;
  status: string;
  /** Time zone of the workspace. */
  timezone: string;
}

async function readSelf(db: Db, user_id: string, lock: Sql): Promise<CurrentEmployee> {
  const [self] = await db.rows<CurrentEmployee>(sql`
    SELECT id, name, code, status, (SELECT timezone FROM settings) AS timezone FROM employees
    WHERE user_id = ${user_id}::uuid AND status <> 'left' ${lock}`);
  if (!self) throw NotAnEmployee();
  return self;
}

const readOnce = oncePerTransaction((db: Db, user_id) => readSelf(db, user_id, empty));

/** Finds the caller among current employees. The access of an operation and its handler share the result. @throws NotAnEmployee */
export const currentEmployee = (db: Db, { user_id }: Pick<Caller, 'user_id'>): Promise<CurrentEmployee> =>
  readOnce(db, user_id);

/** Finds the caller and locks their employee until the transaction ends. @throws NotAnEmployee */
export const lockCurrentEmployee = (db: Db, { user_id }: Pick<Caller, 'user_id'>): Promise<CurrentEmployee> =>
  readSelf(db, user_id, sql`FOR NO KEY UPDATE`);

/** Access for current employees. Other callers get `not_an_employee` before any error in their request. */
export const employeesOnly = withCheck(anyUser, (db: Db, caller) => currentEmployee(db, caller));
