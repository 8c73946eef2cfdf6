import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as categories from './categories/categories.api.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import { PrismaClient } from './generated/client.ts';
import { calls, on } from './operations.ts';
import { whoSeesWhat } from './visibility.ts';

/** Tickets and what was promised about them, frequent questions, and the knowledge base. */
export const support = service({
  name: 'support',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: { categories },
  lifecycles: [],
  consumers: [openWorkspace, ...userFollowers(on, 'support')],
  schedules: [],
  calls,
});
