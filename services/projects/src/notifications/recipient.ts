/** The recipients of mails: with the rights that they have when a mail is sent. */
import { type Caller, type Context, onBehalfOf, type Tools } from '@suite/chassis';
import type { Db, Rpc } from '../operations.ts';

/** The modules of which one shows projects to somebody. */
const MODULES = ['projects', 'lightproj'];

export interface Recipient {
  email: string;
  name: string;
  /** As whom they would see what the mail tells of. */
  caller: Caller;
}

/** Asks platform who somebody is and what they may see now. @returns undefined for somebody who may not sign in, or not here */
export async function recipientOf(
  { rpc }: Pick<Tools<Db, Rpc>, 'rpc'>,
  { workspace_id, request_id }: Context,
  user_id: string,
): Promise<Recipient | undefined> {
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
