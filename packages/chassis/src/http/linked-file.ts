/** Files behind signed links. A link opens its file only as long as a record names it. */
import type { ServerResponse } from 'node:http';
import { enterWorkspace } from '../database/transaction.ts';
import { type FileLinks, sendFile } from '../operation/files.ts';
import type { Storage } from '../operation/storage.ts';
import type { Caller } from '../identity/identity.ts';
import { NotFound } from '../runtime/fault.ts';

/**
 * Sends the file behind a link.
 * @param isNamed whether a record that is there names the file with this key; it runs in the workspace of the file
 * @throws LinkExpired, NotFound
 */
export async function sendLinked(
  given: { params: { token: string }; caller: Caller | null; links: FileLinks; storage: Storage },
  isNamed: (key: string) => Promise<unknown>,
): Promise<(response: ServerResponse) => Promise<void>> {
  const { params, caller, links, storage } = given;
  const link = links.open(params.token);
  const [workspace_id = ''] = link.key.split('/');
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
  if (!(await isNamed(link.key))) throw NotFound();
  return (response) => sendFile(response, storage, link);
}
