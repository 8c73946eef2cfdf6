import { sql } from '@suite/chassis';
import type { StockChanged } from '@suite/proto/inventory/v1/events';
import type { Db } from '../operations.ts';

/** Notes which product lies in which warehouse. @param as_of the number of the event that says so; older ones change nothing */
export async function keepStocked(db: Db, { product_id, warehouse_id, on_hand }: StockChanged, as_of: number) {
  await db.rows(sql`
    INSERT INTO stocked_products AS known (warehouse_id, product_id, on_hand, as_of)
    VALUES (${warehouse_id}::uuid, ${product_id}::uuid, ${on_hand}::numeric, ${as_of})
    ON CONFLICT (workspace_id, warehouse_id, product_id) DO UPDATE SET on_hand = EXCLUDED.on_hand, as_of = EXCLUDED.as_of
    WHERE known.as_of < EXCLUDED.as_of`);
}
