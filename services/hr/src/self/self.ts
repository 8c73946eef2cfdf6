/** The caller as an employee: what `/api/hrm` is about. */
import { type Caller, empty, fault, type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

export const NotAnEmployee = fault(403, 'not_an_employee', 'Only employees of the company can do this.');

/** The caller's own employee, as far as self-service needs it. */
export interface Self {
  id: string;
  name: string;
  code: string;
  status: string;
}

/** Finds the caller among those who are employed. @throws NotAnEmployee */
export async function selfOf(db: Db, { user_id }: Pick<Caller, 'user_id'>, lock: Sql = empty): Promise<Self> {
  const [self] = await db.rows<Self>(sql`
    SELECT id, name, code, status FROM employees WHERE user_id = ${user_id}::uuid AND status <> 'left' ${lock}`);
  if (!self) throw NotAnEmployee();
  return self;
}

/** The same, and others who change what is his wait until the transaction ends. @throws NotAnEmployee */
export const lockSelf = (db: Db, caller: Pick<Caller, 'user_id'>): Promise<Self> =>
  selfOf(db, caller, sql`FOR NO KEY UPDATE`);
