import { raw, type Sql, sql } from '@suite/chassis';

/** How many of the people whom the caller sees are employed in a row of setup. @param of their column that names the row */
export const headCount = (of: 'branch_id' | 'department_id' | 'designation_id' | 'shift_id', table: string): Sql => sql`
  SELECT count(*)::int FROM employees WHERE employees.${raw(of)} = ${raw(table)}.id AND employees.status <> 'left'`;
