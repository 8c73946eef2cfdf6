import { ProjectClientsInvited } from '@suite/proto/projects/v1/events';
import { on } from '../operations.ts';
import { confirmClientUser } from '../users/client-user.ts';

/** A client who was made to follow a project is there as soon as the invitation stands, and gets his letter. */
export const confirmInvitedClient = on(
  ProjectClientsInvited,
  'platform.confirm-invited-client',
  async ({ event, db, emit }) => {
    if (event.new_client) await confirmClientUser(db, emit, event.new_client);
  },
);
