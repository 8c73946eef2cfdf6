/** Views of employee records: the employee, and the actions that the caller is allowed. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate } from '@suite/chassis/lists';
import { employeeLabels } from '../employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { currentEmployee } from '../../employment/employee-users/current-employee.ts';

/** Context for reading records. */
export interface RecordReader {
  db: Db;
  caller: Caller;
}

/** Actions of one kind of record. */
interface RecordActions {
  shownTo(caller: Caller, table: string): Sql;
}

/**
 * Returns the view of a record with its columns, its employee and the allowed actions. Employees have no actions on
 * their own records.
 */
export function recordView({ db, caller }: RecordReader, table: string, states?: RecordActions) {
  const user = sql`SELECT employees.user_id FROM employees WHERE employees.id = ${raw(table)}.employee_id`;
  const compute: Record<string, Sql> = { user_id: user };
  if (states)
    compute['allowed_actions'] = sql`
      CASE WHEN (${user}) = ${caller.user_id}::uuid THEN '{}'::text[] ELSE ${states.shownTo(caller, table)} END`;
  return { table, compute, expand: { employee: one('employee_id', employeeLabels(db)) } };
}

type ListOptions = Parameters<typeof paginate>[2];

/**
 * Lists the caller's own records, one page.
 * @param options list options; `condition` is the condition for the records that the employee can see
 * @throws NotAnEmployee
 */
export async function listOwn(
  { db, caller }: RecordReader,
  request: ListRequest,
  view: ListOptions,
  { condition = sql`TRUE`, column = 'employee_id' }: { condition?: Sql; column?: string } = {},
): Promise<Page> {
  const { id } = await currentEmployee(db, caller);
  const own = sql`${raw(`${view.table}.${column}`)} = ${id}::uuid`;
  return await paginate(db, request, { ...view, where: join([own, condition], ' AND ') });
}
