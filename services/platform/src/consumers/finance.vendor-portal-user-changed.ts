import { VendorPortalUserChanged } from '@suite/proto/finance/v1/events';
import { on } from '../operations.ts';
import { linkRecord } from '../workspaces/users/user-link.ts';

/** Stores the vendor that a user account represents in the portal. */
export const linkVendorOfUser = on(VendorPortalUserChanged, 'platform.show-vendor-of-user', async ({ event, db }) =>
  linkRecord(db, 'vendor_id', event.vendor_id, event.user_id),
);
