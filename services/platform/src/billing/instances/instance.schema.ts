import { choice, Id, input, secret, Timestamp } from '@suite/chassis/fields';
import { z } from 'zod';

/** New token of an instance, which is shown only once. */
export const NewInstanceToken = z
  .object({
    id: Id,
    token: secret(z.string()),
    prefix: z.string(),
    last4: z.string(),
    mode: choice('live', 'test'),
    old_expires_at: Timestamp.describe('Time until which the token of the request remains valid.'),
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

/** New webhook secret, which is shown only once. */
export const NewWebhookSecret = z
  .object({
    webhook_secret: secret(z.string()),
    old_expires_at: Timestamp.describe('Time until which signatures with the previous secret are accepted.'),
  })
  .meta({ id: 'NewWebhookSecret' });
