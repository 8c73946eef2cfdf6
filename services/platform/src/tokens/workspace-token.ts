/**
 * Tokens in URLs that external servers call. They name the workspace, so that no search across workspaces is needed.
 */
import { enterWorkspace } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { Id } from '@suite/chassis/fields';
import type { Caller } from '@suite/chassis/identity';
import { tokenHash, randomToken } from './token.ts';
import type { Db } from '../operations.ts';

const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** Returns a new token: the workspace, followed by 256 random bits. Its hash is stored for lookups. */
export function newWorkspaceToken(workspace_id: string): { token: string; hash: string } {
  const secret = randomToken();
  const workspace = Buffer.from(workspace_id.replaceAll('-', ''), 'hex').toString('base64url');
  return { token: `${workspace}.${secret}`, hash: tokenHash(secret) };
}

const uuidOf = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Returns the workspace of a token, and the hash of its secret part. @throws NotFound */
export function readWorkspaceToken(token: string): { workspace_id: string; hash: string } {
  const [, workspace = '', secret = ''] = TOKEN.exec(token) ?? [];
  const workspace_id = uuidOf(workspace);
  if (!Id.safeParse(workspace_id).success) throw NotFound();
  return { workspace_id, hash: tokenHash(secret) };
}

/**
 * Confines a transaction to the workspace that a token names, unless a user is signed in there.
 * @returns the hash of its secret part, for checking the token
 * @throws NotFound
 */
export async function enterByToken(caller: Caller | null, token: string): Promise<string> {
  const { workspace_id, hash } = readWorkspaceToken(token);
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
  return hash;
}

/** Checks that integrations of the workspace can run. @throws NotFound if it is suspended, closed or missing */
export async function assertActive(db: Db): Promise<void> {
  const workspace = await db.workspace.findFirst({ where: { status: 'active' } });
  if (!workspace) throw NotFound();
}
