import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as blockedSenders from './blocked-senders/blocked-senders.api.ts';
import * as categories from './categories/categories.api.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { PrismaClient } from './generated/client.ts';
import * as mailboxes from './mailboxes/mailboxes.api.ts';
import { calls, on } from './operations.ts';
import { whoSeesWhat } from './visibility.ts';

/** Tickets and what was promised about them, frequent questions, and the knowledge base. */
export const support = service({
  name: 'support',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: { categories, mailboxes, blockedSenders },
  lifecycles: [],
  consumers: [openWorkspace, ...userFollowers(on, 'support')],
  schedules: [],
  calls,
});
