import { raw, type Sql, sql } from '@suite/chassis/database';

/** Returns the number of current employees in a setup record that the caller can see. @param of foreign-key column */
export const headCount = (of: 'branch_id' | 'department_id' | 'designation_id' | 'shift_id', table: string): Sql => sql`
  SELECT count(*)::int FROM employees WHERE employees.${raw(of)} = ${raw(table)}.id AND employees.status <> 'left'`;
