/**
 * Creates, updates and deletes leave types. A new policy applies to the future only, so that days granted and taken do
 * not change.
 */
import { assertVersion, change, remove, sql } from '@suite/chassis/database';
import { assertUnused, type ListRequest, paginate, readOne } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';
import { LeaveType, type LeaveTypeChanges, type LeaveTypeInput } from './leave-type.schema.ts';

const view = { table: 'leave_types' };

export const listLeaveTypes = (db: Db, request: ListRequest) => paginate(db, request, view);

export async function createLeaveType(db: Db, { plan_ahead, ...input }: LeaveTypeInput) {
  const data = { ...input, plan_ahead: plan_ahead ?? input.accrual === 'monthly' };
  const { id } = await db.leaveType.create({ data });
  return await readOne(db, LeaveType, id, view);
}

/** Updates a leave type. @throws Stale; InUse if requested days would be paid differently */
export async function changeLeaveType(
  db: Db,
  id: string,
  { version: _, ...patch }: LeaveTypeChanges,
  expect: number | undefined,
) {
  const [before] = await db.rows<{ version: number; paid: boolean }>(sql`
    SELECT version, paid FROM leave_types WHERE id = ${id}::uuid FOR NO KEY UPDATE`);
  if (before) assertVersion(before, expect);
  if (before && patch.paid !== undefined && patch.paid !== before.paid) {
    const where = { leave_type_id: id };
    await assertUnused(async () => ({ leave_applications: await db.leaveApplication.count({ where }) }));
  }
  await change(db.leaveType, id, patch);
  return await readOne(db, LeaveType, id, view);
}

/** Deletes a leave type. @throws InUse if days were granted or requested */
export const removeLeaveType = (db: Db, id: string) => remove(db.leaveType, id);
