import { CustomerPortalUserChanged } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { linkRecord } from '../workspaces/users/user-link.ts';

/** Stores the customer that a user account represents in the portal. */
export const linkCustomerOfUser = on(
  CustomerPortalUserChanged,
  'platform.show-customer-of-user',
  async ({ event, db }) => linkRecord(db, 'customer_id', event.customer_id, event.user_id),
);
