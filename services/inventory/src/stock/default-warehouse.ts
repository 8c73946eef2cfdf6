import { invalid } from '@suite/chassis';
import type { Db } from '../operations.ts';

/**
 * The warehouse that a body names, or the default one.
 * @throws a 422 when there is none, or when it is archived
 */
export async function activeWarehouse(db: Db, id: string | undefined, field = 'warehouse_id'): Promise<{ id: string }> {
  const warehouse = await db.warehouse.findFirst({ where: id ? { id } : { is_default: true } });
  if (!warehouse) throw invalid(field, id ? 'Warehouse not found.' : 'Name a warehouse: there is no default one.');
  if (!warehouse.active) throw invalid(field, 'This warehouse is archived.');
  return { id: warehouse.id };
}
