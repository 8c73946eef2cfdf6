import { input, secret, Timestamp, Url } from '@suite/chassis/fields';
import { z } from 'zod';
import { integration } from '../../connections/integrations/integration.schema.ts';
import { SocialSettings } from '../social-server/social-server.schema.ts';

/** Social account of the workspace. */
export const SocialAccount = integration(SocialSettings, z.object({ queued: z.int(), published: z.int() })).meta({
  id: 'SocialAccount',
});

export const SocialConnectInput = input({
  server_url: Url.describe('URL of the server, such as `https://social.example`.').meta({
    example: 'https://social.example',
  }),
  access_token: z
    .string()
    .trim()
    .min(10)
    .max(500)
    .optional()
    .describe('Access token of an application that you created on the server.'),
});
export type SocialConnectInput = z.output<typeof SocialConnectInput>;

/** Pending connection, or a connection that a token has completed immediately. */
export const SocialConnection = z
  .object({
    authorize_url: secret(z.string()).describe(
      'Address where the user approves the connection. `null` if a token was sent.',
    ),
    expires_at: Timestamp.nullable(),
    integration: SocialAccount,
  })
  .meta({ id: 'SocialConnection' });

/** Query parameters of the redirect from a social server. */
export const CallbackParameters = {
  state: z.string().max(200),
  code: z.string().min(1).max(2_000).optional(),
  error: z.string().max(200).optional(),
  error_description: z.string().max(1_000).optional(),
};

export const SocialConnected = z.object({ connected: z.literal(true), account: z.string(), server_url: z.string() });
