/** The tokens of mailboxes: 256 random bits, of which a hash is kept, and the workspace in front of them. */
import { createHash, randomBytes } from 'node:crypto';
import { clock, enterWorkspace, sql, Unauthenticated } from '@suite/chassis';
import type { Db } from '../operations.ts';

const TOKEN = /^mbx_([\da-f]{32})_[\w-]{43}$/;
const HINT_LENGTH = 4;

const hashOf = (token: string): Uint8Array<ArrayBuffer> => new Uint8Array(createHash('sha256').update(token).digest());

/** A token that nobody can guess, and what is kept of it. */
export function newToken(workspace_id: string) {
  const secret = randomBytes(32).toString('base64url');
  const token = `mbx_${workspace_id.replaceAll('-', '')}_${secret}`;
  return { token, kept: { token_hash: hashOf(token), token_hint: secret.slice(0, HINT_LENGTH) } };
}

/** A mailbox, as far as mail that comes in has to know it. */
export interface OpenMailbox {
  id: string;
  workspace_id: string;
  address: string;
  category_id: string | null;
  auto_acknowledge: boolean;
  /** Whose words about senders count; null for nobody's. */
  authentication_server: string | null;
}

/**
 * Finds the active mailbox that a token is of, and confines the transaction to its workspace.
 * @throws Unauthenticated for a token that is unknown or exchanged, and for a mailbox that is not active: alike
 */
export async function openMailbox(db: Db, token: string): Promise<OpenMailbox> {
  const [, workspace = ''] = TOKEN.exec(token) ?? [];
  if (!workspace) throw Unauthenticated();
  await enterWorkspace(workspace.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5'), null);
  const [mailbox] = await db.rows<OpenMailbox>(sql`
    SELECT id, workspace_id, address, category_id, auto_acknowledge, authentication_server FROM mailboxes
    WHERE active AND (token_hash = ${hashOf(token)}
      OR (former_token_hash = ${hashOf(token)} AND former_token_until > ${clock.now()}::timestamptz))`);
  if (!mailbox) throw Unauthenticated();
  return mailbox;
}
