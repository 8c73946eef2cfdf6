/**
 * White-label instances: partners who sell the suite under their own name. Their tokens open white-label operations
 * only.
 */
import { created, forInstances } from '@suite/chassis/operations';
import { command } from '../../operations.ts';
import { webhookSecret } from './instance.rules.ts';
import { NewInstanceToken, NewWebhookSecret, TokenRotation } from './instance.schema.ts';
import { issueToken, rotateSecret } from './instance.ts';

const ADDITION = 'A token or secret that was lost or disclosed must be replaceable without downtime.';

export const rotateToken = command('POST /api/wl/token/rotate', {
  summary: 'Rotate the token of an instance',
  description:
    'Returns a new token of the instance, once. The token of this request keeps working for `overlap_hours`. At most two tokens work concurrently: any other one stops working immediately.',
  addition: ADDITION,
  access: forInstances,
  body: TokenRotation,
  reply: created(NewInstanceToken),
  handle: ({ db, body, caller }) =>
    issueToken(db, caller.instance!.id, caller.instance!.mode, { id: caller.api_key_id, ...body }),
});

export const rotateWebhookSecret = command('POST /api/wl/webhook-secret/rotate', {
  summary: 'Rotate the webhook secret of an instance',
  description:
    'Returns a new webhook secret, once. Events signed with the previous secret are accepted for another 24 hours.',
  addition: ADDITION,
  access: forInstances,
  reply: created(NewWebhookSecret),
  async handle({ db, caller, keys }) {
    const { id } = caller.instance!;
    const { number, old_expires_at } = await rotateSecret(db, id);
    return { webhook_secret: webhookSecret(keys, id, number), old_expires_at };
  },
});
