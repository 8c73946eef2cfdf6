/**
 * The terms of an employment, each as a fact from a day on. The value of a term on a day is that of the row with the greatest
 * (effective_from, seq) whose effective_from is not later; employees hold the values of today beside them.
 */
import { join, raw, type Sql, sql } from '@suite/chassis';

/** The terms that lie with employees, too. A salary is dated alike, and sealed. */
export const DATED = [
  'branch_id',
  'department_id',
  'designation_id',
  'manager_id',
  'shift_id',
  'calendar_id',
  'employment_type',
] as const;
export type DatedField = (typeof DATED)[number];

const kindOf = (field: DatedField): string => (field === 'employment_type' ? 'text' : 'uuid');

/**
 * The terms of employees on a day, one row for each who had any by then: `employee_id`, and the dated fields by their names.
 * @param of which rows of employee_history count, all by default
 */
export const termsOn = (day: string | Sql, of: Sql = sql`TRUE`): Sql => {
  const values = DATED.map(
    (field) => sql`
      (array_agg(value ORDER BY effective_from DESC, seq DESC) FILTER (WHERE field = ${raw(`'${field}'`)}))[1]${raw(`::${kindOf(field)} AS ${field}`)}`,
  );
  return sql`
    SELECT employee_id, ${join(values)} FROM employee_history
    WHERE effective_from <= ${day}::date AND ${of} GROUP BY employee_id`;
};
