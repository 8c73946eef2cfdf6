/** The subscription of the workspace: the plan that counts for it, what that allows, and what is paid for it. */
import { can, ok } from '@suite/chassis';
import { query } from '../operations.ts';
import { WorkspaceSubscription } from './subscription.schema.ts';
import { showSubscription } from './subscription.view.ts';

export const show = query('GET /api/subscription', {
  summary: 'Get the subscription',
  description:
    'Without a plan that counts, signing in, the account, keys, users, the subscription and exports remain: people may be replaced within the limit that the last plan had, and nothing else is added. A subscription whose first payment has not come yet gives nothing, and takes nothing of what a trial or the operator gives.',
  access: can('subscription.view'),
  reply: ok(WorkspaceSubscription),
  handle: ({ db, caller }) => showSubscription(db, caller.workspace_id),
});
