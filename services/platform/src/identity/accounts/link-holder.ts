/** Users of file links in this service. */
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { readRightsHolders, toRightsResponse } from './rights.ts';

type ReadTransaction = <T>(work: (db: Db) => Promise<T>) => Promise<T>;

/** Returns the user of a file link with their current rights, or undefined if they can no longer sign in. */
export async function fileLinkHolder(
  { read }: { read: ReadTransaction },
  { user_id, workspace_id }: Pick<Caller, 'user_id' | 'workspace_id'>,
): Promise<Caller | undefined> {
  const [holder] = await read((db) => readRightsHolders(db, [user_id]));
  if (!holder) return undefined;
  const { user, team, ...rights } = toRightsResponse(holder);
  const { name: user_name, kind } = user;
  return {
    ...rights,
    user_id,
    user_name,
    workspace_id,
    kind: kind as Caller['kind'],
    ...(team.length > 0 && { team }),
  };
}
