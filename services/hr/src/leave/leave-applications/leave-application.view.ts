/** Views of leave requests in lists and responses. */
import { join, raw, type Sql, sql } from '@suite/chassis/database';
import type { FileLinks } from '@suite/chassis/files';
import type { Caller } from '@suite/chassis/identity';
import { type Expansion, type ListRequest, many, one, type Page, paginate, readOne } from '@suite/chassis/lists';
import { today } from '@suite/chassis/runtime';
import { employeeLabels } from '../../employees/employees/employee-label.ts';
import type { Db } from '../../operations.ts';
import { leaveStates } from './leave-application.rules.ts';
import { LeaveApplication } from './leave-application.schema.ts';

/** Context for reading leave requests and linking to their documents. */
export interface LeaveReader {
  db: Db;
  caller: Caller;
  links: FileLinks;
}

const computedOf = (table: string) => ({
  paid: sql`SELECT leave_types.paid FROM leave_types WHERE leave_types.id = ${raw(table)}.leave_type_id`,
  days_by_year: sql`SELECT leave_days_by_year(${raw(table)}.id)`,
  warnings: sql`SELECT CASE WHEN ${raw(table)}.status IN ('pending', 'first_approved') THEN leave_warnings(${raw(table)}.id) ELSE '{}' END`,
});

const USER = sql`SELECT employees.user_id FROM employees WHERE employees.id = leave_applications.employee_id`;

/**
 * Returns the allowed actions of a caller. Employees can cancel their own leave before it begins and change it while it
 * is pending. No other actions are allowed on their own leave.
 */
function actionsOf(caller: Caller): Sql {
  const isOwn = sql`EXISTS (SELECT FROM employees
    WHERE employees.id = leave_applications.employee_id AND employees.user_id = ${caller.user_id}::uuid)`;
  const isToCome = sql`leave_applications."from" > ${today(caller.timezone)}::date`;
  const own = sql`CASE WHEN leave_applications.status IN ('pending', 'first_approved') AND ${isToCome} THEN ARRAY['update', 'cancel']
    WHEN leave_applications.status IN ('pending', 'first_approved') THEN ARRAY['update']
    WHEN leave_applications.status = 'approved' AND ${isToCome} THEN ARRAY['cancel'] ELSE ARRAY[]::text[] END`;
  const second = sql`leave_applications.status = 'first_approved' AND leave_applications.first_approved_by = ${caller.user_id}::uuid`;
  const others = leaveStates.shownTo(caller, 'leave_applications');
  return sql`CASE WHEN ${isOwn} THEN ${own} WHEN ${second} THEN array_remove(${others}, 'approve') ELSE ${others} END`;
}

const typeLabels = (db: Db) => (ids: string[]) =>
  db.rows(sql`SELECT id, code, name, color, paid FROM leave_types WHERE id = ANY(${ids}::uuid[])`);

const FILE = sql`CASE WHEN leave_applications.attachment_key IS NOT NULL THEN jsonb_build_object('key', leave_applications.attachment_key,
  'name', leave_applications.attachment_name, 'mime', leave_applications.attachment_mime) END`;

const expansions = (db: Db) => ({
  employee: one('employee_id', employeeLabels(db)),
  leave_type: one('leave_type_id', typeLabels(db)),
  approver: one('approver_id', employeeLabels(db)),
});

const changesOf = (db: Db): Expansion =>
  many('application_id', (ids) =>
    db.rows(sql`
      SELECT application_id, "from", "to", half_day, starts_midday, ends_midday, days, created_by, created_at FROM leave_changes
      WHERE application_id = ANY(${ids}::uuid[]) ORDER BY id`),
  );

const viewOf = ({ db, caller }: Pick<LeaveReader, 'db' | 'caller'>) => ({
  table: 'leave_applications',
  compute: {
    ...computedOf('leave_applications'),
    user_id: USER,
    attachment: FILE,
    allowed_actions: actionsOf(caller),
  },
  expand: { ...expansions(db), changes: changesOf(db) },
});

interface LeaveFile {
  key: string;
  name: string;
  mime: string;
}

/** Adds the document link to a row. */
function addDocumentLink<Row extends object>(row: Row, links: FileLinks): Row {
  const { attachment: file } = row as { attachment?: LeaveFile | null };
  if (!file) return row;
  return { ...row, attachment: { ...file, url: links.url('/api/leave-application/file', file) } };
}

type LeaveFilterInput = ListRequest['filters'][number];

/** Returns the filter by the employee's current department, which is not a column. */
function inDepartment({ operator, values }: LeaveFilterInput): Sql {
  if (operator === 'null') return values[0] ? sql`FALSE` : sql`TRUE`;
  const not = operator === 'ne' ? sql`NOT ` : sql``;
  return sql`${not}leave_applications.employee_id = ANY (ARRAY(
    SELECT employees.id FROM employees WHERE employees.department_id = ANY (${values}::uuid[])))`;
}

const isOfDepartment = ({ column }: { column: string }): boolean => column === 'department_id';

/** Returns a page of the leave requests that the caller can see. @param where condition of the list */
export async function listLeave(
  context: LeaveReader,
  request: ListRequest<{ overlaps?: [string, string] | undefined }>,
  where: Sql = sql`TRUE`,
): Promise<Page> {
  const { overlaps } = request.also;
  const spanned = overlaps
    ? sql`leave_applications."from" <= ${overlaps[1]}::date AND leave_applications."to" >= ${overlaps[0]}::date`
    : sql`TRUE`;
  const page = await paginate(
    context.db,
    {
      ...request,
      columns: request.columns.filter((column) => !isOfDepartment({ column })),
      filters: request.filters.filter((filter) => !isOfDepartment(filter)),
    },
    {
      ...viewOf(context),
      where: join([where, spanned, ...request.filters.filter(isOfDepartment).map(inDepartment)], ' AND '),
    },
  );
  return { ...page, rows: page.rows.map((row) => addDocumentLink(row, context.links)) };
}

/** Lists the requests awaiting a decision by any of some employees, one page. Visibility rules do not apply. */
export const listToDecide = (db: Db, request: ListRequest, approver_ids: readonly string[]): Promise<Page> =>
  paginate(db, request, {
    table: 'leave_to_decide',
    from: sql`leave_to_decide(${approver_ids}::uuid[])`,
    compute: { ...computedOf('leave_to_decide'), allowed_actions: sql`ARRAY['approve', 'reject']` },
    expand: expansions(db),
  });

/** Returns a leave request. @throws NotFound */
export const readLeaveApplication = async ({ db, caller, links }: LeaveReader, id: string) =>
  addDocumentLink(await readOne(db, LeaveApplication, id, viewOf({ db, caller })), links);
