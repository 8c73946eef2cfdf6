import { service } from '@suite/chassis';
import { userFollowers } from '@suite/users';
import * as articles from './articles/articles.api.ts';
import { articleStates } from './articles/article.rules.ts';
import * as calendars from './calendars/calendars.api.ts';
import * as categories from './categories/categories.api.ts';
import { openWorkspace } from './consumers/platform.workspace-provisioned.ts';
import * as faqs from './faqs/faqs.api.ts';
import { PrismaClient } from './generated/client.ts';
import { calls, on } from './operations.ts';
import * as slaPolicies from './sla/sla-policies.api.ts';
import { whoSeesWhat } from './visibility.ts';

/** Tickets and what was promised about them, frequent questions, and the knowledge base. */
export const support = service({
  name: 'support',
  client: (adapter) => new PrismaClient({ adapter }),
  visibility: whoSeesWhat,
  operations: { articles, calendars, categories, faqs, slaPolicies },
  lifecycles: [articleStates],
  consumers: [openWorkspace, ...userFollowers(on, 'support')],
  schedules: [],
  calls,
});
