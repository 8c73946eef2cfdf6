import type { Db } from '../../operations.ts';

/** Categories of a new workspace. */
const DEFAULTS = [
  { name: 'General', color: '#64748b' },
  { name: 'Technical', color: '#3b82f6' },
  { name: 'Billing', color: '#f59e0b' },
  { name: 'Feature request', color: '#8b5cf6' },
];

/** Creates the default categories of a workspace, unless it has some. */
export async function provideCategories(db: Db): Promise<void> {
  if ((await db.category.count()) === 0) await db.category.createMany({ data: DEFAULTS });
}
