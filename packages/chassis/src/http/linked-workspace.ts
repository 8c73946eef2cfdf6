/** The workspace behind a link, which anybody may open who has it. */
import { enterWorkspace } from '../database/transaction.ts';
import type { Caller } from '../identity/identity.ts';
import { linkTokens } from '../identity/workspace-token.ts';
import { NotFound } from '../runtime/fault.ts';

/**
 * Confines the transaction to the workspace that a link names, unless somebody has signed in there.
 * @throws NotFound in another workspace than the caller's
 */
export async function enterLinkedWorkspace(caller: Caller | null, workspace_id: string): Promise<void> {
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
}

/**
 * Confines the transaction to the workspace of a link's token, unless somebody has signed in there.
 * @returns the hash by which its record is found
 * @throws NotFound for what is no token, or of another workspace than the caller's
 */
export async function enterByToken(caller: Caller | null, token: string): Promise<Uint8Array<ArrayBuffer>> {
  const read = linkTokens.read(token);
  if (!read) throw NotFound();
  await enterLinkedWorkspace(caller, read.workspace_id);
  return read.token_hash;
}
