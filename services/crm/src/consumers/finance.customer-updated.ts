import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { customerCopies } from '../copies.ts';
import { storeCustomerLink } from '../sales/references/customer.ts';
import { on } from '../operations.ts';

/**
 * Updates the customer name of deals, opportunities and meetings. Documents keep the original name, but use the current portal user of the
 * customer.
 */
export const renameCustomer = on(CustomerUpdated, 'crm.rename-customer', async ({ event, db }) => {
  await storeCustomerLink(db, event);
  await customerCopies.update(db, event);
});
