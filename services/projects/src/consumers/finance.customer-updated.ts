import { CustomerUpdated } from '@suite/proto/finance/v1/events';
import { customerCopies } from '../copies.ts';
import { on } from '../operations.ts';

/** Updates the customer name of projects. */
export const renameCustomer = on(CustomerUpdated, 'projects.rename-customer', ({ event, db }) =>
  customerCopies.update(db, event),
);
