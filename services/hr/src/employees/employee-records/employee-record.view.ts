/** Views of employee records: the employee, and the actions that the caller is allowed. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, one, type Page, paginate } from '@suite/chassis/lists';
import { employeeLabels } from '../employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { selfOf } from '../../employment/employee-users/self.ts';

/** Context for reading records. */
export interface RecordReader {
  db: Db;
  caller: Caller;
}

/** Actions of one kind of record. */
interface Shown {
  shownTo(caller: Caller, table: string): Sql;
}

/**
 * Returns the view of a record with its columns, its employee and the allowed actions. Employees have no actions on
 * their own records.
 */
export function viewAbout({ db, caller }: RecordReader, table: string, states?: Shown) {
  const user = sql`SELECT employees.user_id FROM employees WHERE employees.id = ${raw(table)}.employee_id`;
  const compute: Record<string, Sql> = { user_id: user };
  if (states)
    compute['allowed_actions'] = sql`
      CASE WHEN (${user}) = ${caller.user_id}::uuid THEN '{}'::text[] ELSE ${states.shownTo(caller, table)} END`;
  return { table, compute, expand: { employee: one('employee_id', employeeLabels(db)) } };
}

type View = Parameters<typeof paginate>[2];

/**
 * Lists the caller's own records, one page.
 * @param options list options; `told` is the condition for the records that the employee can see
 * @throws NotAnEmployee
 */
export async function listOwn(
  { db, caller }: RecordReader,
  request: ListRequest,
  view: View,
  { told = sql`TRUE`, column = 'employee_id' }: { told?: Sql; column?: string } = {},
): Promise<Page> {
  const { id } = await selfOf(db, caller);
  const own = sql`${raw(`${view.table}.${column}`)} = ${id}::uuid`;
  return await paginate(db, request, { ...view, where: join([own, told], ' AND ') });
}
