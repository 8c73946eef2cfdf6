import { CustomerPortalUserChanged } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { showLink } from '../workspaces/users/user-link.ts';

/** Stores the customer that a user account represents in the portal. */
export const showCustomerOfUser = on(
  CustomerPortalUserChanged,
  'platform.show-customer-of-user',
  async ({ event, db }) => showLink(db, 'customer_id', event.customer_id, event.user_id),
);
