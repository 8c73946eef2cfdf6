/** Files behind links. A link opens its file only as long as a record names it. */
import type { ServerResponse } from 'node:http';
import { type FileLink, type FileLinks, sendFile } from '../operation/files.ts';
import type { Storage } from '../operation/storage.ts';
import type { Caller } from '../identity/identity.ts';
import { NotFound } from '../runtime/fault.ts';
import { enterLinkedWorkspace } from './linked-workspace.ts';

interface Given {
  caller: Caller | null;
  storage: Storage;
}

/** Whether a record that is there names the file with this key; it runs in the workspace of the file. */
type IsNamed = (key: string) => Promise<unknown>;

/** Enters the workspace of a file. @throws NotFound when no record names it, or in another workspace than the caller's */
async function assertNamed({ caller }: Given, key: string, isNamed: IsNamed): Promise<void> {
  const [workspace_id = ''] = key.split('/');
  await enterLinkedWorkspace(caller, workspace_id);
  if (!(await isNamed(key))) throw NotFound();
}

/** Sends the file behind a link. @throws LinkExpired, NotFound */
export async function sendLinked(
  given: Given & { params: { token: string }; links: FileLinks },
  isNamed: IsNamed,
): Promise<(response: ServerResponse) => Promise<void>> {
  const link = given.links.open(given.params.token);
  await assertNamed(given, link.key, isNamed);
  return (response) => sendFile(response, given.storage, link);
}

/**
 * Sends a file to everybody who has its address, for caches to keep: its key is random, so that nobody guesses it, and no other
 * file ever has it.
 * @throws NotFound
 */
export async function sendPublic(
  given: Given,
  file: FileLink,
  isNamed: IsNamed,
): Promise<(response: ServerResponse) => Promise<void>> {
  await assertNamed(given, file.key, isNamed);
  return (response) => sendFile(response, given.storage, file, { isPublic: true });
}
