import { LeadConverted } from '@suite/proto/crm/v1/events';
import { on } from '../operations.ts';
import { confirmClientUser } from '../workspaces/users/client-user.ts';

/** Activates and invites a client user that was created for a conversion, after the lead is converted. */
export const confirmNewClient = on(LeadConverted, 'platform.confirm-new-client', async ({ event, db, emit }) => {
  if (event.new_client) await confirmClientUser(db, emit, event.new_client);
});
