import { LeadConverted } from '@suite/proto/crm/v1/events';
import { on } from '../operations.ts';
import { confirmClientUser } from '../users/client-user.ts';

/** A client who was made for a conversion is there as soon as the lead is converted, and is invited. */
export const confirmNewClient = on(LeadConverted, 'platform.confirm-new-client', async ({ event, db, emit }) => {
  if (event.new_client) await confirmClientUser(db, emit, event.new_client);
});
