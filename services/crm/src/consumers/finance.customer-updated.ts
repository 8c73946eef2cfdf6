import { sql } from '@suite/chassis';
import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';

/** Deals call their customer as finance does. Documents keep the name that a customer had when they were written. */
export const renameCustomer = on(CustomerUpdated, 'crm.rename-customer', async ({ event, db }) => {
  await db.rows(sql`
    UPDATE deals SET customer_name = ${event.name}
    WHERE customer_id = ${event.customer_id}::uuid AND customer_name IS DISTINCT FROM ${event.name}`);
});
