import { ProjectClientsInvited } from '@suite/proto/projects/v1/events';
import { on } from '../operations.ts';
import { confirmClientUser } from '../workspaces/users/client-user.ts';

/** Confirms a client created for a project once the invitation is committed, and e-mails the invitation. */
export const confirmInvitedClient = on(
  ProjectClientsInvited,
  'platform.confirm-invited-client',
  async ({ event, db, emit }) => {
    if (event.new_client) await confirmClientUser(db, emit, event.new_client);
  },
);
