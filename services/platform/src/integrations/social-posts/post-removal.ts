/** Deletes published posts on the server. */
import type { Caller, Keys } from '@suite/chassis/identity';
import { type Outgoing, OutgoingFailure } from '@suite/outbound-http';
import type { SocialPost } from '../../generated/client.ts';
import { withCallerTimeout } from '../../connections/integrations/connection-test.ts';
import { openConnected } from '../../connections/integrations/integration.ts';
import { NotConnected } from '../../connections/integrations/integration.rules.ts';
import { ServerRejection } from '../../connections/integrations/server-rejection.ts';
import type { Db } from '../../operations.ts';
import { serverOf, type SocialSecrets } from '../social-server/social-connection.ts';
import type { SocialSettings } from '../social-server/social-server.schema.ts';
import { unpublish } from '../social-server/social-server.ts';
import { ServerFailed } from './social-post.rules.ts';

interface RemovalContext {
  read<T>(work: (db: Db) => Promise<T>): Promise<T>;
  keys: Keys;
  caller: Caller;
  outgoing: Outgoing;
}

/**
 * Deletes a post at its server.
 * @throws NotConnected when the workspace no longer has an account there, ServerFailed
 */
export async function removePublished(
  post: SocialPost,
  { read, keys, caller, outgoing }: RemovalContext,
): Promise<void> {
  const account = await read((db) => openConnected<SocialSettings, SocialSecrets>(db, keys, 'socialpost'));
  if (account.settings.server_url !== post.server_url) throw NotConnected({ server_url: post.server_url });
  try {
    await unpublish(serverOf(account, withCallerTimeout(outgoing), caller.workspace_id), post.remote_id ?? '');
  } catch (error) {
    if (!(error instanceof OutgoingFailure) && !(error instanceof ServerRejection)) throw error;
    throw ServerFailed({ reason: error.message });
  }
}
