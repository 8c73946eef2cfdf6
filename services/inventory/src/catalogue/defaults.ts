/** First unit and warehouse of a workspace, for its first product and stock. */
import { type Db, serializeOn } from '../operations.ts';
import { createWarehouse } from '../warehouses/warehouse.ts';
import { createUnit } from './unit.ts';

// Chosen: a new workspace has no tax, because taxes differ by country, and a wrong tax is worse than none.
const UNITS = [
  { name: 'Piece', symbol: 'pc' },
  { name: 'Kilogram', symbol: 'kg' },
  { name: 'Litre', symbol: 'l' },
  { name: 'Metre', symbol: 'm' },
  { name: 'Hour', symbol: 'h' },
];
const MULTIPLES = [
  { name: 'Dozen', symbol: 'dz', of: 'Piece', factor: '12' },
  { name: 'Gram', symbol: 'g', of: 'Kilogram', factor: '0.001' },
  { name: 'Day', symbol: 'd', of: 'Hour', factor: '8' },
];

async function provideUnits(db: Db): Promise<void> {
  await serializeOn(db, 'units');
  if ((await db.unit.count()) > 0) return;
  const ids = new Map<string, string>();
  for (const unit of UNITS) ids.set(unit.name, (await createUnit(db, { ...unit, base_id: null, factor: '1' })).id);
  for (const { of, ...unit } of MULTIPLES) await createUnit(db, { ...unit, base_id: ids.get(of)! });
}

/** Creates a default warehouse, units and a category, except kinds of records that the workspace already has. */
export async function provideDefaults(db: Db): Promise<void> {
  await serializeOn(db, 'warehouses');
  if ((await db.warehouse.count()) === 0) await createWarehouse(db, { name: 'Main warehouse', code: 'MAIN' });
  await provideUnits(db);
  await serializeOn(db, 'categories');
  if ((await db.category.count()) === 0) await db.category.create({ data: { name: 'General' } });
}
