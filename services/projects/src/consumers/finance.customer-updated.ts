import { sql } from '@suite/chassis/database';
import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';

/** Updates the customer name of projects. */
export const renameCustomer = on(CustomerUpdated, 'projects.rename-customer', async ({ event, db }) => {
  await db.rows(sql`
    UPDATE projects SET customer_name = ${event.name}
    WHERE customer_id = ${event.customer_id}::uuid AND customer_name IS DISTINCT FROM ${event.name}`);
});
