import { invalid } from '@suite/chassis/faults';
import type { Db } from '../operations.ts';

/**
 * Returns the warehouse in the request body, or the default warehouse.
 * @throws a 422 fault if it is missing or archived
 */
export async function activeWarehouse(db: Db, id: string | undefined, field = 'warehouse_id'): Promise<{ id: string }> {
  const warehouse = await db.warehouse.findFirst({ where: id ? { id } : { is_default: true } });
  if (!warehouse) throw invalid(field, id ? 'Warehouse not found.' : 'Select a warehouse: there is no default one.');
  if (!warehouse.active) throw invalid(field, 'This warehouse is archived. Select another one.');
  return { id: warehouse.id };
}
