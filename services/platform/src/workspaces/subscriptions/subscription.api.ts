/** The subscription of the workspace: plan, limits and payments. */
import { can, ok } from '@suite/chassis/operations';
import { query } from '../../operations.ts';
import { WorkspaceSubscription } from './subscription.schema.ts';
import { showSubscription } from './subscription.view.ts';

export const show = query('GET /api/subscription', {
  summary: 'Get the subscription',
  description:
    'Returns the plan, limits and status of the workspace. Without an active plan, sign-in, accounts, keys, users, subscription and exports remain available. Until a plan is active, you can replace users up to the last limit. A first subscription has no effect before it is paid.',
  addition:
    'A workspace without a partner has a subscription, too, and the specification has operations for partners only.',
  access: can('subscription.view'),
  reply: ok(WorkspaceSubscription),
  handle: ({ db, caller }) => showSubscription(db, caller.workspace_id),
});
