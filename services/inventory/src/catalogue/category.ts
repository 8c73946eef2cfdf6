/** Categories form a tree. A category and its parent have the same kind, and no category contains itself. */
import { assertVersion, change, find, remove, sql } from '@suite/chassis/database';
import { invalid } from '@suite/chassis/faults';
import { assertUnused } from '@suite/chassis/lists';
import type { z } from 'zod';
import { type Db, serializeOn } from '../operations.ts';
import type { CategoryChanges, CategoryInput } from './category.schema.ts';

async function assertParent(db: Db, id: string | undefined, parent_id: string | null, kind: string): Promise<void> {
  if (parent_id === null) return;
  const above = await db.rows<{ id: string; kind: string }>(sql`
    WITH RECURSIVE above AS (
      SELECT id, parent_id, kind FROM categories WHERE id = ${parent_id}::uuid
      UNION SELECT next.id, next.parent_id, next.kind FROM categories AS next JOIN above ON next.id = above.parent_id)
    SELECT id, kind FROM above`);
  const parent = above.find((category) => category.id === parent_id);
  if (!parent) throw invalid('parent_id', 'Category not found.');
  if (parent.kind !== kind)
    throw invalid('parent_id', 'The parent has another kind. Select a parent of the same kind.');
  if (above.some((category) => category.id === id)) throw invalid('parent_id', 'A category cannot be its own parent.');
}

/** Creates a category. @throws a 422 fault if its parent is invalid */
export async function createCategory(db: Db, input: z.output<typeof CategoryInput>) {
  await serializeOn(db, 'categories');
  await assertParent(db, undefined, input.parent_id, input.kind);
  return await db.category.create({ data: input });
}

/** Renames, recolours or moves a category. The kind cannot change. @throws a 422 fault if its parent is invalid */
export async function changeCategory(
  db: Db,
  id: string,
  { version: _, ...patch }: z.output<typeof CategoryChanges>,
  expect: number | undefined,
) {
  await serializeOn(db, 'categories');
  const before = await find(db.category, id);
  assertVersion(before, expect);
  if (patch.parent_id !== undefined) await assertParent(db, id, patch.parent_id, before.kind);
  return await change(db.category, id, patch);
}

/** Deletes a category. @throws InUse if products or categories belong to it */
export async function removeCategory(db: Db, id: string): Promise<{ id: string }> {
  await serializeOn(db, 'categories');
  await assertUnused(async () => ({
    products: await db.product.count({ where: { category_id: id } }),
    categories: await db.category.count({ where: { parent_id: id } }),
  }));
  return await remove(db.category, id);
}
