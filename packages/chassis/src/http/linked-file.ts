/**
 * Files behind links. A link opens its file only if a record refers to it and the link's user may currently see that
 * record.
 */
import type { ServerResponse } from 'node:http';
import type { Database } from '../database/database.ts';
import type { TransactionContext } from '../database/running.ts';
import type { LinkHolder } from '../operation/access.ts';
import type { FileLink, FileLinks } from '../identity/file-links.ts';
import { sendFile } from '../operation/files.ts';
import type { Operation } from '../operation/operation.ts';
import type { Storage } from '../storage/storage.ts';
import { type Caller, callerOnBehalfOf } from '../identity/identity.ts';
import { NotFound } from '../runtime/fault.ts';
import { enterLinkedWorkspace } from './linked-workspace.ts';

interface LinkRequest {
  caller: Caller | null;
  storage: Storage;
}

interface LinkHost {
  links: FileLinks;
  database: Database<unknown>;
  rpc(caller: Caller | null, request_id: string, ends_at?: number): object;
}

/**
 * Returns the user of the file link in a request, with their current permissions. The operation runs as that user.
 * @returns undefined for other operations, and for a link that was created without an account
 * @throws LinkExpired; NotFound if the user can no longer sign in, or has lost the module or the permission
 */
export async function linkHolder(
  { access, module }: Operation,
  { links, database, rpc }: LinkHost,
  token: unknown,
  context: TransactionContext,
): Promise<{ caller: Caller; workspace_id: string } | undefined> {
  if (access.kind !== 'public' || !access.file) return undefined;
  const { holder, permission, modules = module ? [module] : [] } = access.file;
  const { key, user_id } = links.open(String(token));
  if (!user_id) return undefined;
  const [workspace_id = ''] = key.split('/');
  if (context.caller && context.caller.workspace_id !== workspace_id) throw NotFound();
  const named = callerOnBehalfOf(user_id, workspace_id);
  const means: Parameters<LinkHolder>[0] = {
    rpc: rpc(named, context.request_id, context.ends_at) as never,
    read: (work) => database.read({ ...context, workspace_id, caller: named }, work as never),
  };
  const found = await holder(means, { user_id, workspace_id });
  const isServed = modules.length === 0 || modules.some((each) => found?.modules.includes(each));
  if (!found || !isServed || (permission && !found.permissions.includes(permission))) throw NotFound();
  return { caller: found, workspace_id };
}

/** Check that an existing record names the file with this key. Runs in the workspace of the file. */
type RecordCheck = (key: string) => Promise<unknown>;

/**
 * Enters the workspace of a file. @throws NotFound if no record refers to the file, or if the caller belongs to another
 * workspace
 */
async function assertRecordRefers({ caller }: LinkRequest, key: string, isNamed: RecordCheck): Promise<void> {
  const [workspace_id = ''] = key.split('/');
  await enterLinkedWorkspace(caller, workspace_id);
  if (!(await isNamed(key))) throw NotFound();
}

/**
 * Sends the file behind a link. The operation's access is `openByFileLink`, which authenticates the user of the link.
 * @throws LinkExpired, NotFound
 */
export async function sendLinked(
  given: LinkRequest & { params: { token: string }; links: FileLinks },
  isNamed: RecordCheck,
): Promise<(response: ServerResponse) => Promise<void>> {
  const link = given.links.open(given.params.token);
  if (link.user_id !== undefined && link.user_id !== given.caller?.user_id) throw NotFound();
  await assertRecordRefers(given, link.key, isNamed);
  return (response) => sendFile(response, given.storage, link);
}

/**
 * Sends a cacheable file to anyone with its address. The key is random and cannot be guessed, and no other file ever
 * gets it.
 * @throws NotFound
 */
export async function sendPublic(
  given: LinkRequest,
  file: FileLink,
  isNamed: RecordCheck,
): Promise<(response: ServerResponse) => Promise<void>> {
  await assertRecordRefers(given, file.key, isNamed);
  return (response) => sendFile(response, given.storage, file, { isPublic: true });
}
