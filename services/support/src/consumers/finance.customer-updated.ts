import { sql } from '@suite/chassis/database';
import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';

/** Updates the customer name in tickets. */
export const renameCustomer = on(CustomerUpdated, 'support.rename-customer', async ({ event, db }) => {
  await db.rows(sql`
    UPDATE tickets SET customer_name = ${event.name}
    WHERE customer_id = ${event.customer_id}::uuid AND customer_name IS DISTINCT FROM ${event.name}`);
});
