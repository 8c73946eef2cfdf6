/** Tokens in addresses that servers outside call: they name the workspace, so that nobody has to look through all of them. */
import { type Caller, enterWorkspace, Id, NotFound } from '@suite/chassis';
import { hashOf, randomToken } from '../identity/token.ts';
import type { Db } from '../operations.ts';

const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** A new token: 256 random bits, and the workspace in front of them. Its hash is what is kept to find it by. */
export function newWorkspaceToken(workspace_id: string): { token: string; hash: string } {
  const secret = randomToken();
  const workspace = Buffer.from(workspace_id.replaceAll('-', ''), 'hex').toString('base64url');
  return { token: `${workspace}.${secret}`, hash: hashOf(secret) };
}

const uuidOf = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The workspace that a token names, and the hash of its secret part. @throws NotFound */
export function readWorkspaceToken(token: string): { workspace_id: string; hash: string } {
  const [, workspace = '', secret = ''] = TOKEN.exec(token) ?? [];
  const workspace_id = uuidOf(workspace);
  if (!Id.safeParse(workspace_id).success) throw NotFound();
  return { workspace_id, hash: hashOf(secret) };
}

/**
 * Confines a transaction to the workspace that a token names, unless somebody has signed in there.
 * @returns the hash of its secret part, by which the caller finds out whether the token is good
 * @throws NotFound
 */
export async function enterByToken(caller: Caller | null, token: string): Promise<string> {
  const { workspace_id, hash } = readWorkspaceToken(token);
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
  return hash;
}

/** A workspace whose integrations work. @throws NotFound for one that is suspended, closed or not there */
export async function assertActive(db: Db): Promise<void> {
  const workspace = await db.workspace.findFirst({ where: { status: 'active' } });
  if (!workspace) throw NotFound();
}
