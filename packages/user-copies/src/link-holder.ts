/** The users of file links. */
import type { Caller } from '@suite/chassis/identity';
import type { Clients } from '@suite/chassis/rpc';
import type { PlatformServiceDefinition } from '@suite/proto/platform/v1/platform';
import { callerWithRights } from './rights.ts';

type Rpc = Clients<{ platform: typeof PlatformServiceDefinition }>;

/** Asks platform for the user of a file link and their current rights. Returns undefined if they can no longer sign in. */
export async function fileLinkHolder(
  { rpc }: { rpc: Rpc },
  { user_id, workspace_id }: Pick<Caller, 'user_id' | 'workspace_id'>,
): Promise<Caller | undefined> {
  const { users } = await rpc.platform.batchGetRights({ user_ids: [user_id] });
  const [rights] = users;
  return rights && callerWithRights(rights, { user_id, workspace_id });
}
