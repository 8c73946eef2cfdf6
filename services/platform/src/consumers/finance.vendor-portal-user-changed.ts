import { VendorPortalUserChanged } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { showLink } from '../workspaces/users/user-link.ts';

/** Stores the vendor that a user account represents in the portal. */
export const showVendorOfUser = on(VendorPortalUserChanged, 'platform.show-vendor-of-user', async ({ event, db }) =>
  showLink(db, 'vendor_id', event.vendor_id, event.user_id),
);
