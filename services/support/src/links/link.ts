/** Links of requesters: 256 random bits, of which a hash is kept, and the workspace in front of them. */
import { createHash, randomBytes } from 'node:crypto';
import { type Caller, clock, enterWorkspace, NotFound, sql } from '@suite/chassis';
import { z } from 'zod';
import type { Db } from '../operations.ts';

const hashOf = (secret: string): Uint8Array<ArrayBuffer> =>
  new Uint8Array(createHash('sha256').update(secret).digest());

/** The token of a link in a path. */
export const LinkToken = z.string().max(200);
const TOKEN = /^([\w-]{22})\.([\w-]{43})$/;

/** Makes a link to a ticket. @returns the token, which nobody can read again */
export async function makeLink(db: Db, workspace_id: string, ticket_id: string): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  await db.ticketLink.createMany({ data: [{ ticket_id, token_hash: hashOf(secret) }] });
  const workspace = Buffer.from(workspace_id.replaceAll('-', ''), 'hex').toString('base64url');
  return `${workspace}.${secret}`;
}

const workspaceOf = (text: string): string =>
  Buffer.from(text, 'base64url')
    .toString('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** The parts of a request that are needed to open a link. */
interface Opening {
  db: Db;
  caller: Caller | null;
  params: { token: string };
}

/**
 * Finds the ticket behind a link, and confines the transaction to its workspace, unless somebody has signed in there.
 * @throws NotFound for a token that is unknown, revoked, or of a ticket that was closed too long ago: alike
 */
export async function openLink({ db, caller, params: { token } }: Opening): Promise<string> {
  const [, workspace, secret] = TOKEN.exec(token) ?? [];
  if (!workspace || !secret) throw NotFound();
  const workspace_id = workspaceOf(workspace);
  if (!caller) await enterWorkspace(workspace_id, null);
  else if (caller.workspace_id !== workspace_id) throw NotFound();
  const [found] = await db.rows<{ ticket_id: string }>(sql`
    SELECT ticket_id FROM ticket_links JOIN tickets ON tickets.id = ticket_links.ticket_id
    WHERE token_hash = ${hashOf(secret)} AND deleted_at IS NULL AND (closed_at IS NULL OR closed_at
      + make_interval(days => coalesce((SELECT token_days FROM settings), 90)) > ${clock.now()}::timestamptz)`);
  if (!found) throw NotFound();
  return found.ticket_id;
}
