/** Warehouses: one of them is always the default and active. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { fault } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import type { z } from 'zod';
import { type Db, serializeOn } from '../operations.ts';
import type { WarehouseChanges, WarehouseInput } from './warehouse.schema.ts';

export const DefaultWarehouse = fault(
  409,
  'default_warehouse',
  'The default warehouse cannot be deleted or deactivated. Choose another default first.',
);

/** Removes the default flag from the current default warehouse. */
const clearDefault = (db: Db) => db.warehouse.updateMany({ where: { is_default: true }, data: { is_default: false } });

/** Creates a warehouse. The first one of a workspace is the default. */
export async function createWarehouse(db: Db, input: z.output<typeof WarehouseInput>): Promise<string> {
  await serializeOn(db, 'warehouses');
  const is_first = (await db.warehouse.count({ where: { is_default: true } })) === 0;
  if (input.is_default) await clearDefault(db);
  const { id } = await db.warehouse.create({ data: { ...input, is_default: is_first || input.is_default === true } });
  return id;
}

/** Updates a warehouse. @throws DefaultWarehouse if the default one would be archived; InUse if it has stock */
export async function changeWarehouse(
  db: Db,
  id: string,
  { version: _, ...patch }: z.output<typeof WarehouseChanges>,
  expect: number | undefined,
): Promise<void> {
  await serializeOn(db, 'warehouses');
  const before = await find(db.warehouse, id);
  assertVersion(before, expect);
  const becomes_default = patch.is_default === true && !before.is_default;
  if (patch.active === false && before.active) {
    if (before.is_default || becomes_default) throw DefaultWarehouse();
    await assertEmpty(db, id);
  }
  if (becomes_default) await clearDefault(db);
  const { is_default: __, ...columns } = patch;
  const revived = becomes_default ? { is_default: true, active: true } : {};
  await change(db.warehouse, id, { ...columns, ...revived });
}

/** Checks that a warehouse is empty. @throws InUse if it has stock or reservations */
async function assertEmpty(db: Db, id: string): Promise<void> {
  const where = { warehouse_id: id, OR: [{ on_hand: { not: 0 } }, { reserved: { not: 0 } }] };
  await assertUnused(async () => ({ products_in_stock: await db.stockLevel.count({ where }) }));
}

/** Deletes a warehouse that never had stock. @throws DefaultWarehouse, InUse */
export async function removeWarehouse(db: Db, id: string): Promise<{ id: string }> {
  await serializeOn(db, 'warehouses');
  const { is_default } = await find(db.warehouse, id);
  if (is_default) throw DefaultWarehouse();
  const usesOf = async () => {
    const [held] = await db.rows<{ movements: number; pos_orders: number; reservations: number }>(sql`
      SELECT (SELECT count(*)::int FROM stock_movements WHERE warehouse_id = ${id}::uuid) AS movements,
        (SELECT count(*)::int FROM reservations WHERE warehouse_id = ${id}::uuid) AS reservations,
        (SELECT count(*)::int FROM pos_orders WHERE warehouse_id = ${id}::uuid) AS pos_orders`);
    return held!;
  };
  await assertUnused(usesOf, (seen) => ({ ...seen, instead: 'archive it: active = false' }));
  return await remove(db.warehouse, id);
}
