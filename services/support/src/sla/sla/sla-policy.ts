/**
 * Creates, changes, orders and deletes policies. A changed policy applies to new tickets, and to existing ones when it
 * is applied explicitly.
 */
import { assertVersion, find, storePositions, remove, sql, moveToPosition } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { readOne } from '@suite/chassis/lists';
import { type Db, serializeOn } from '../../operations.ts';
import { assertTargetsReachable } from '../calendars/reachable-targets.ts';
import { SlaPolicy, type SlaPolicyChanges, type SlaPolicyInput } from './sla-policy.schema.ts';

const readPolicy = (db: Db, id: string) => readOne(db, SlaPolicy, id, { table: 'sla_policies' });

async function idsInOrder(db: Db): Promise<string[]> {
  const policies = await db.slaPolicy.findMany({ select: { id: true }, orderBy: { position: 'asc' } });
  return policies.map(({ id }) => id);
}

/** Moves a policy to a position and shifts the others. */
async function movePolicy(db: Db, id: string, position: number | undefined): Promise<void> {
  if (position === undefined) return;
  await storePositions(db, sql`sla_policies`, moveToPosition(await idsInOrder(db), id, position));
}

/** Checks the categories in conditions, which have no foreign key. @throws a 422 fault that names the field */
async function assertCategories(db: Db, conditions: SlaPolicyInput['conditions'] | undefined): Promise<void> {
  const ids = [...new Set(conditions?.category_id)];
  const known = ids.length === 0 ? 0 : await db.category.count({ where: { id: { in: ids } } });
  if (known < ids.length) throw invalid('conditions.category_id', 'Category not found.');
}

/** Creates a policy, last or at a position. @throws TargetOutOfReach */
export async function createPolicy(db: Db, { position, ...input }: SlaPolicyInput) {
  await assertCategories(db, input.conditions);
  await serializeOn(db, 'sla policies');
  const { length } = await idsInOrder(db);
  const { id } = await db.slaPolicy.create({ data: { ...(input as object), position: length } as never });
  await assertTargetsReachable(db, sql`policy.id = ${id}::uuid`);
  await movePolicy(db, id, position);
  return await readPolicy(db, id);
}

/** Updates or moves a policy. @throws Stale, TargetOutOfReach */
export async function changePolicy(
  db: Db,
  id: string,
  { version: _, position, ...patch }: SlaPolicyChanges,
  expect: number | undefined,
) {
  await assertCategories(db, patch.conditions);
  await serializeOn(db, 'sla policies');
  assertVersion(await find(db.slaPolicy, id), expect);
  await db.slaPolicy.updateMany({ where: { id }, data: patch as object as never });
  if (patch.targets || patch.calendar_id) await assertTargetsReachable(db, sql`policy.id = ${id}::uuid`);
  await movePolicy(db, id, position);
  return await readPolicy(db, id);
}

/** Deletes a policy. The following ones move up. */
export async function removePolicy(db: Db, id: string): Promise<{ id: string }> {
  await serializeOn(db, 'sla policies');
  await remove(db.slaPolicy, id);
  await storePositions(db, sql`sla_policies`, await idsInOrder(db));
  return { id };
}
