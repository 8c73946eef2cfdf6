import { sql } from '@suite/chassis/database';
import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { storeCustomerLink } from '../sales/references/customer.ts';
import { on } from '../operations.ts';

/**
 * Updates the customer name of deals. Documents keep the original name, but use the current portal user of the
 * customer.
 */
export const renameCustomer = on(CustomerUpdated, 'crm.rename-customer', async ({ event, db }) => {
  await storeCustomerLink(db, event);
  await db.rows(sql`
    UPDATE deals SET customer_name = ${event.name}
    WHERE customer_id = ${event.customer_id}::uuid AND customer_name IS DISTINCT FROM ${event.name}`);
});
