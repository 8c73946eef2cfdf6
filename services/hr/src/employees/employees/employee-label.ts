/** Short forms of employees, for references. */
import { regardlessOfVisibility, sql } from '@suite/chassis/database';
import type { Db } from '../../operations.ts';

/** Returns the names of colleagues by ID. Callers who can see a reference to an employee may also see the name. */
export const employeeLabels =
  (db: Db) =>
  (ids: string[]): Promise<object[]> =>
    regardlessOfVisibility(() => db.rows(sql`SELECT id, code, name FROM employees WHERE id = ANY(${ids}::uuid[])`));
