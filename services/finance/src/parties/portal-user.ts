import { invalid } from '@suite/chassis';
import type { Rpc } from '../operations.ts';

/** Asks platform for the user who is to see a customer or vendor in the portal. @throws a 422 that names the field */
export async function askForPortalUser(
  rpc: Rpc,
  kind: 'client' | 'vendor',
  { user_id }: { user_id?: string | null | undefined },
): Promise<void> {
  if (!user_id) return;
  const { users } = await rpc.platform.batchGetUsers({ user_ids: [user_id] });
  if (users[0]?.kind !== kind) throw invalid('user_id', `There is no such ${kind}.`);
}
