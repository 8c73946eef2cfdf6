/** Creates, updates and deletes departments. Departments form a tree, so none can contain itself. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault, invalid } from '@suite/chassis/faults';
import { one, type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import { assertMayHead } from '../../employment/employment/record-scope.ts';
import type { CommandContext, Db } from '../../operations.ts';
import { employeeLabels } from '../employees/employee-label.ts';
import { headCount } from '../../organisation/setup/head-count.ts';
import { assertThere } from '../../organisation/setup/references.ts';
import { serializeOn } from '../../organisation/setup/serialize.ts';
import { Department, type DepartmentChanges, type DepartmentInput } from './department.schema.ts';

export const DepartmentCircle = fault(
  422,
  'department_circle',
  'A department cannot be its own parent. Choose another parent.',
);

const viewOf = (db: Db) => ({
  table: 'departments',
  compute: { employee_count: headCount('department_id', 'departments') },
  expand: { head: one('head_id', employeeLabels(db)) },
});

export const listDepartments = (db: Db, request: ListRequest) => paginate(db, request, viewOf(db));

type DepartmentContext = Pick<CommandContext, 'db' | 'caller'>;

/**
 * Checks that a head is employed, and locks the employee until the transaction ends. @throws Forbidden, a 422 fault
 * that names the field
 */
async function assertHead(context: DepartmentContext, head_id: string | null | undefined): Promise<void> {
  if (!head_id) return;
  const [head] = await context.db.rows<{ status: string }>(sql`
    SELECT status FROM employees WHERE id = ${head_id}::uuid FOR NO KEY UPDATE`);
  if (!head) throw invalid('head_id', 'Employee not found.');
  if (head.status === 'left') throw invalid('head_id', 'This employee has left. Select another head.');
  await assertMayHead(context, head_id);
}

/** Checks that a parent exists and is not a descendant of the department. */
async function assertParent(db: Db, id: string | undefined, parent_id: string | null | undefined): Promise<void> {
  if (!parent_id) return;
  const above = await db.rows<{ id: string }>(sql`
    WITH RECURSIVE above AS (
      SELECT id, parent_id FROM departments WHERE id = ${parent_id}::uuid
      UNION SELECT next.id, next.parent_id FROM departments AS next JOIN above ON next.id = above.parent_id)
    SELECT id FROM above`);
  if (above.length === 0) throw invalid('parent_id', 'Department not found.');
  if (above.some((department) => department.id === id)) throw DepartmentCircle({ field: 'parent_id' });
}

/** Creates a department. @throws a 422 fault if its branch or parent is invalid */
export async function createDepartment(context: DepartmentContext, data: DepartmentInput) {
  const { db } = context;
  await serializeOn(db, 'departments');
  await assertThere(db, 'branches', { branch_id: data.branch_id });
  await assertParent(db, undefined, data.parent_id);
  await assertHead(context, data.head_id);
  const { id } = await db.department.create({ data });
  return await readOne(db, Department, id, viewOf(db));
}

/** Updates or moves a department. @throws DepartmentCircle, Stale, a 422 fault if its branch or parent is invalid */
export async function changeDepartment(
  context: DepartmentContext,
  id: string,
  { version: _, ...patch }: DepartmentChanges,
  expect: number | undefined,
) {
  const { db } = context;
  await serializeOn(db, 'departments');
  const before = await find(db.department, id);
  assertVersion(before, expect);
  await assertThere(db, 'branches', { branch_id: patch.branch_id });
  await assertParent(db, id, patch.parent_id);
  if (patch.head_id !== before.head_id) await assertHead(context, patch.head_id);
  await change(db.department, id, patch);
  return await readOne(db, Department, id, viewOf(db));
}

/** Deletes a department. @throws InUse if an employee or another record belongs to it */
export const removeDepartment = (db: Db, id: string) => remove(db.department, id);
