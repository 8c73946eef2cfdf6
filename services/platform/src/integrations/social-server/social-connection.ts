/** Connections to a social server: tested with a token, or started here and authorized on the server. */
import type { Outgoing } from '@suite/outbound-http';
import { startTrial, type ConnectionTrial } from '../../connections/integrations/connection-test.ts';
import { maskSecret } from '../../connections/integrations/integration.rules.ts';
import type { Connection } from '../../connections/integrations/integration.ts';
import { readLimits, type SocialApp, type SocialServer, verifyAccount } from './social-server.ts';
import type { SocialSettings } from './social-server.schema.ts';

/** Secrets of the connection. A token can be revoked only with the registration that received it. */
export interface SocialSecrets {
  access_token: string;
  app: SocialApp | null;
}

/** Returns the server client of a connection. */
export const serverOf = (
  { settings: { server_url }, secrets: { access_token } }: { settings: { server_url: string }; secrets: SocialSecrets },
  outgoing: Outgoing,
  workspace_id: string,
): SocialServer => ({ outgoing, workspace_id, server_url, access_token });

/** Returns the redirect URL for servers. */
export const callbackUrl = (public_url: string): string => `${public_url}/api/socialpost/callback`;

/** Returns the origin of a URL, without path and query. */
export const originOf = (url: string): string => new URL(url).origin;

/** Tests a token, in the steps of a running connection test. @returns the connection if no step failed */
export async function connectAccount(
  trial: ConnectionTrial,
  server: SocialServer,
  app: SocialApp | null,
): Promise<Connection<SocialSettings, SocialSecrets> | undefined> {
  const { server_url, access_token = '' } = server;
  const limits = await trial.step('server', 'The server responds.', () => readLimits(server));
  const name = await trial.step('account', 'The server knows the account.', () => verifyAccount(server));
  if (!limits || !name) return undefined;
  const { account, account_url } = name;
  const settings = { server_url, account, account_url, access_token: maskSecret(access_token), ...limits };
  return { settings, secrets: { access_token, app }, capabilities: ['post', 'media', 'schedule'] };
}

/** Tests an existing connection. */
export async function testAccount(server: SocialServer): Promise<ConnectionTrial> {
  const trial = startTrial();
  await connectAccount(trial, server, null);
  return trial;
}
