/** Connections to a social server: tried with a token, or begun here and allowed at the server. */
import type { Outgoing } from '@suite/outgoing';
import { beginTrial, type Trial } from '../integrations/connection-test.ts';
import { masked } from '../integrations/integration.rules.ts';
import type { Connection } from '../integrations/integration.ts';
import { readLimits, type SocialApp, type SocialServer, verifyAccount } from './social-server.ts';
import type { SocialSettings } from './social-server.schema.ts';

/** The secrets of the connection. Without the program that a token was given to, it cannot be taken back. */
export interface SocialSecrets {
  access_token: string;
  app: SocialApp | null;
}

/** The server of a connection, called as its account. */
export const serverOf = (
  { settings: { server_url }, secrets: { access_token } }: { settings: { server_url: string }; secrets: SocialSecrets },
  outgoing: Outgoing,
  workspace_id: string,
): SocialServer => ({ outgoing, workspace_id, server_url, access_token });

/** Where servers send people back to. */
export const callbackUrl = (public_url: string): string => `${public_url}/api/socialpost/callback`;

/** The server of an address, without what else stands in it. */
export const originOf = (url: string): string => new URL(url).origin;

/** Tries a token, in the steps of a trial that has begun. @returns the connection, when nothing failed */
export async function tryAccount(
  trial: Trial,
  server: SocialServer,
  app: SocialApp | null,
): Promise<Connection<SocialSettings, SocialSecrets> | undefined> {
  const { server_url, access_token = '' } = server;
  const limits = await trial.step('server', 'The server answers.', () => readLimits(server));
  const name = await trial.step('account', 'The account is known.', () => verifyAccount(server));
  if (!limits || !name) return undefined;
  const { account, account_url } = name;
  const settings = { server_url, account, account_url, access_token: masked(access_token), ...limits };
  return { settings, secrets: { access_token, app }, capabilities: ['post', 'media', 'schedule'] };
}

/** Tries a connection that is there. */
export async function testAccount(server: SocialServer): Promise<Trial> {
  const trial = beginTrial();
  await tryAccount(trial, server, null);
  return trial;
}
