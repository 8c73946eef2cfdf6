/** Recipients of e-mails, with their permissions at the time of sending. */
import type { Context } from '@suite/chassis/database';
import { type Caller, onBehalfOf } from '@suite/chassis/identity';
import type { Tools } from '@suite/chassis/service';
import type { Db, Rpc } from '../../operations.ts';

/** Modules that show projects; a user needs one. */
const MODULES = ['projects', 'lightproj'];

export interface NotificationRecipient {
  email: string;
  name: string;
  /** Caller with the recipient's view of the content. */
  caller: Caller;
}

/**
 * Requests a recipient with their current permissions from platform. @returns undefined for a user who may not sign in,
 * or not to this workspace
 */
export async function recipientOf(
  { rpc }: Pick<Tools<Db, Rpc>, 'rpc'>,
  { workspace_id, request_id }: Context,
  user_id: string,
): Promise<NotificationRecipient | undefined> {
  const { users } = await rpc(onBehalfOf(user_id, workspace_id!), request_id).platform.batchGetRights({
    user_ids: [user_id],
  });
  const [found] = users;
  if (!found?.user?.email || !MODULES.some((module) => found.modules.includes(module))) return undefined;
  const { user, ...rights } = found;
  const { name, email, kind } = user;
  const caller = { ...rights, user_id, user_name: name, kind, workspace_id } as Caller;
  return { email, name, caller };
}
