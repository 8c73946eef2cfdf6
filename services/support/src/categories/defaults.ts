import type { Db } from '../operations.ts';

/** As the specification of the support desk names them (section 7). */
const DEFAULTS = [
  { name: 'General', color: '#64748b' },
  { name: 'Technical', color: '#3b82f6' },
  { name: 'Billing', color: '#f59e0b' },
  { name: 'Feature request', color: '#8b5cf6' },
];

/** Makes the categories that a workspace begins with, unless it has some. */
export async function provideCategories(db: Db): Promise<void> {
  if ((await db.category.count()) === 0) await db.category.createMany({ data: DEFAULTS });
}
