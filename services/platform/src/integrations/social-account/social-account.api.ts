/** The social account: an account on a server with the Mastodon API. */
import { enterWorkspace } from '@suite/chassis/database';
import type { Caller } from '@suite/chassis/identity';
import { can, created, ok, openByLink } from '@suite/chassis/operations';
import { OutgoingFailure } from '@suite/outbound-http';
import { startTrial, withCallerTimeout } from '../../connections/integrations/connection-test.ts';
import {
  connectIntegration,
  disconnectIntegration,
  findIntegration,
  openConnected,
  openIntegration,
  recordSuccess,
} from '../../connections/integrations/integration.ts';
import {
  ConnectionFailed,
  integrationStates,
  isMasked,
  MaskedValue,
  NotConnected,
  PrivateAddress,
} from '../../connections/integrations/integration.rules.ts';
import { ConnectionTest } from '../../connections/integrations/integration.schema.ts';
import { toIntegrationResponse } from '../../connections/integrations/integration.view.ts';
import { ServerRejection } from '../../connections/integrations/server-rejection.ts';
import { command, type Db, inSocialPost } from '../../operations.ts';
import { failQueuedPosts } from '../social-posts/social-post.ts';
import {
  callbackUrl,
  originOf,
  serverOf,
  type SocialSecrets,
  testAccount,
  connectAccount,
} from '../social-server/social-connection.ts';
import type { SocialSettings } from '../social-server/social-server.schema.ts';
import { exchangeCode, registerApp, revokeToken } from '../social-server/social-server.ts';
import { beginAuthorization, findApp, storeApp, useAuthorization } from './authorization.ts';
import { AuthorizationDenied, AuthorizationExpired } from './social-account.rules.ts';
import {
  CallbackParameters,
  SocialAccount,
  SocialConnected,
  SocialConnectInput,
  SocialConnection,
} from './social-account.schema.ts';

const ADDITION = 'The specification only shows integrations: users must be able to connect, test and disconnect them.';

const NAME = 'socialpost';

async function showAccount(db: Db, caller: Caller) {
  const queued = await db.socialPost.count({ where: { status: 'queued' } });
  const published = await db.socialPost.count({ where: { status: 'published' } });
  const details = { name: NAME, caller, usage: { queued, published } } as const;
  return toIntegrationResponse<SocialSettings, typeof details.usage>(await findIntegration(db, NAME), details);
}

export const show = inSocialPost.query('GET /api/socialpost', {
  summary: 'Get the social account',
  description:
    'Returns the connected account and the result of the last test. Secrets are masked except for their last four characters.',
  access: can('integration.view'),
  reply: ok(SocialAccount),
  handle: ({ db, caller }) => showAccount(db, caller),
});

export const connect = inSocialPost.command('POST /api/socialpost/connect', {
  summary: 'Connect a social account',
  description:
    'Returns `authorize_url`, where the user approves the connection within ten minutes. An `access_token` of your own application is tested and connected immediately instead.',
  addition: ADDITION,
  access: integrationStates.can('connect'),
  body: SocialConnectInput,
  reply: created(SocialConnection),
  faults: [ConnectionFailed, PrivateAddress, MaskedValue],
  async prepare({ read, keys, body, caller, outgoing, public_url }) {
    const { access_token } = body;
    if (access_token && isMasked(access_token)) throw MaskedValue({ field: 'access_token' });
    const access = { outgoing: withCallerTimeout(outgoing), workspace_id: caller.workspace_id };
    const server = { ...access, server_url: originOf(body.server_url) };
    const trial = startTrial();
    if (access_token) {
      const connection = await connectAccount(trial, { ...server, access_token }, null);
      trial.assertPassed('server_url');
      return { connection: connection! };
    }
    const existing = await read((db) => findApp(db, keys, server.server_url));
    const register = () => registerApp(server, callbackUrl(public_url));
    const app = existing ?? (await trial.step('app', 'The server knows the suite.', register));
    trial.assertPassed('server_url');
    return { app: app!, server_url: server.server_url };
  },
  async handle({ db, keys, caller, prepared, public_url }) {
    if (prepared.connection) {
      await connectIntegration(db, keys, NAME, prepared.connection, caller.user_id);
      return { authorize_url: null, expires_at: null, integration: await showAccount(db, caller) };
    }
    const { server_url } = prepared;
    const app = await storeApp(db, keys, server_url, prepared.app);
    const redirect_uri = callbackUrl(public_url);
    const authorization = await beginAuthorization(db, keys, { caller, server_url, app, redirect_uri });
    return { ...authorization, integration: await showAccount(db, caller) };
  },
});

export const callback = command('GET /api/socialpost/callback', {
  summary: 'Complete the connection of a social account',
  description:
    'Completes the connection after the user has approved it on the server. The server redirects the browser here. The link works once. Returns `authorization_denied` if the user declined.',
  addition: 'A social server redirects users to this route after they allow the connection.',
  access: openByLink,
  query: CallbackParameters,
  reply: ok(SocialConnected),
  faults: [AuthorizationExpired, AuthorizationDenied, ConnectionFailed, PrivateAddress],
  async prepare({ write, keys, caller, query: { state, code }, outgoing, public_url }) {
    const { app, verifier, ...authorization } = await write((db) => useAuthorization(db, keys, caller, state));
    if (!code) throw AuthorizationDenied();
    const { workspace_id, server_url } = authorization;
    const server = { outgoing: withCallerTimeout(outgoing), workspace_id, server_url };
    const trial = startTrial();
    const exchange = { code, code_verifier: verifier, redirect_uri: callbackUrl(public_url) };
    const access_token = await trial.step('token', 'The server gave a token.', () =>
      exchangeCode(server, app, exchange),
    );
    const connection = access_token && (await connectAccount(trial, { ...server, access_token }, app));
    trial.assertPassed('code');
    return { ...authorization, connection: connection || undefined };
  },
  async handle({ db, keys, caller, prepared: { workspace_id, user_id, connection } }) {
    if (!caller) await enterWorkspace(workspace_id, user_id);
    await connectIntegration(db, keys, NAME, connection!, user_id);
    const { account, server_url } = connection!.settings;
    return { connected: true as const, account, server_url };
  },
});

export const test = inSocialPost.command('POST /api/socialpost/test', {
  summary: 'Test the social account',
  description:
    'Requests the account from the server. Returns 200 with the failure if the test fails. Returns `not_connected` without a connection.',
  addition: ADDITION,
  access: integrationStates.can('test'),
  reply: ok(ConnectionTest),
  faults: [NotConnected],
  async prepare({ read, keys, caller, outgoing }) {
    const account = await read((db) => openConnected<SocialSettings, SocialSecrets>(db, keys, NAME));
    const trial = await testAccount(serverOf(account, withCallerTimeout(outgoing), caller.workspace_id));
    return { account, result: trial.result() };
  },
  async handle({ db, prepared: { account, result } }) {
    if (result.ok) await recordSuccess(db, account);
    return result;
  },
});

export const disconnect = inSocialPost.command('POST /api/socialpost/disconnect', {
  summary: 'Disconnect the social account',
  description:
    'Disconnects the account and revokes its token on the server, if the suite obtained it. Scheduled posts fail. Disconnecting again changes nothing.',
  addition: ADDITION,
  access: integrationStates.can('disconnect'),
  reply: ok(SocialAccount),
  async prepare({ read, keys, caller, outgoing }) {
    const account = await read((db) => openIntegration<SocialSettings, SocialSecrets>(db, keys, NAME));
    if (!account?.secrets.app) return;
    // An unreachable server must not prevent a disconnection: the token is deleted here in any case.
    const server = serverOf(account, withCallerTimeout(outgoing), caller.workspace_id);
    await revokeToken(server, account.secrets.app).catch((error: unknown) => {
      if (!(error instanceof OutgoingFailure) && !(error instanceof ServerRejection)) throw error;
    });
  },
  async handle({ db, caller }) {
    await disconnectIntegration(db, NAME, caller);
    await failQueuedPosts(db);
    return await showAccount(db, caller);
  },
});
