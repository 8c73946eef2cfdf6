import { choice, Id, input, secret, Timestamp } from '@suite/chassis';
import { z } from 'zod';

/** A token of an instance at the only moment when it is shown. */
export const NewInstanceToken = z
  .object({
    id: Id,
    token: secret(z.string()),
    prefix: z.string(),
    last4: z.string(),
    mode: choice('live', 'test'),
    old_expires_at: Timestamp.describe('Until when the token that was sent works, too.'),
    created_at: Timestamp,
  })
  .meta({ id: 'NewInstanceToken' });

export const TokenRotation = input({
  overlap_hours: z
    .int()
    .min(0)
    .max(168)
    .default(24)
    .describe('Hours for which the current token keeps working. `0` ends it immediately.'),
});

/** A webhook secret at the only moment when it is shown. */
export const NewWebhookSecret = z
  .object({
    webhook_secret: secret(z.string()),
    old_expires_at: Timestamp.describe('Until when signatures by the secret before it are taken, too.'),
  })
  .meta({ id: 'NewWebhookSecret' });
