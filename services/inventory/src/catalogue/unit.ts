/** Units: a multiple refers directly to its base, so that any two units of a kind convert by one division. */
import { assertVersion, change, find, remove } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import { compare } from '@suite/money';
import type { z } from 'zod';
import { type Db, serializeOn } from '../operations.ts';
import type { UnitChanges, UnitInput } from './unit.schema.ts';

/** Serializes changes to the few units of a workspace. */
const lockUnits = (db: Db) => serializeOn(db, 'units');

interface UnitMultiple {
  base_id: string | null;
  factor: { toString(): string };
}

async function assertBase(db: Db, id: string | undefined, { base_id, factor }: UnitMultiple): Promise<void> {
  if (base_id === null) {
    if (compare(factor.toString(), '1') !== 0)
      throw invalid('factor', 'Omit the factor: only a multiple of another unit has one.');
    return;
  }
  const base = base_id === id ? null : await db.unit.findFirst({ where: { id: base_id } });
  if (!base) throw invalid('base_id', 'Unit not found.');
  if (base.base_id) throw invalid('base_id', 'This unit is itself a multiple. Choose its base unit.');
  const multiples = id ? await db.unit.count({ where: { base_id: id } }) : 0;
  if (multiples > 0) throw invalid('base_id', 'Other units are multiples of this one. Change them first.');
}

/** Creates a unit. @throws a 422 fault if its base is invalid */
export async function createUnit(db: Db, input: z.output<typeof UnitInput>) {
  await lockUnits(db);
  await assertBase(db, undefined, input);
  return await db.unit.create({ data: input });
}

/** Updates a unit. @throws a 422 fault if its base is invalid */
export async function changeUnit(
  db: Db,
  id: string,
  { version: _, ...patch }: z.output<typeof UnitChanges>,
  expect: number | undefined,
) {
  await lockUnits(db);
  const before = await find(db.unit, id);
  assertVersion(before, expect);
  const factor = patch.base_id === null ? { factor: patch.factor ?? '1' } : {};
  const changes = { ...patch, ...factor };
  await assertBase(db, id, {
    base_id: changes.base_id === undefined ? before.base_id : changes.base_id,
    factor: changes.factor ?? before.factor,
  });
  return await change(db.unit, id, changes);
}

/** Deletes a unit. @throws InUse if products or other units refer to the unit */
export async function removeUnit(db: Db, id: string): Promise<{ id: string }> {
  await lockUnits(db);
  await assertUnused(async () => ({
    products: await db.product.count({ where: { unit_id: id } }),
    units: await db.unit.count({ where: { base_id: id } }),
  }));
  return await remove(db.unit, id);
}
