/** Links of requesters. Only hashes of their tokens are stored. */
import { sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import { type Caller, linkTokens } from '@suite/chassis/identity';
import { enterByToken } from '@suite/chassis/operations';
import { clock } from '@suite/chassis/runtime';
import { z } from 'zod';
import type { Db } from '../../operations.ts';

/** Token of a link in a path. */
export const LinkToken = z.string().max(200);

/** Creates a link to a ticket. @returns the token, which cannot be read again */
export async function makeLink(db: Db, workspace_id: string, ticket_id: string): Promise<string> {
  const { token, stored } = linkTokens.make(workspace_id);
  await db.ticketLink.createMany({ data: [{ ticket_id, token_hash: stored.token_hash }] });
  return token;
}

/** Context for opening a link. */
interface LinkRequest {
  db: Db;
  caller: Caller | null;
  params: { token: string };
}

/**
 * Finds the ticket of a link, and confines the transaction to its workspace, unless a user is signed in there.
 * @throws NotFound for a token that is unknown, revoked, or of a ticket that was closed too long ago
 */
export async function openLink({ db, caller, params: { token } }: LinkRequest): Promise<string> {
  const token_hash = await enterByToken(caller, token);
  const [found] = await db.rows<{ ticket_id: string }>(sql`
    SELECT ticket_id FROM ticket_links JOIN tickets ON tickets.id = ticket_links.ticket_id
    WHERE token_hash = ${token_hash} AND deleted_at IS NULL AND (closed_at IS NULL OR closed_at
      + make_interval(days => coalesce((SELECT token_days FROM settings), 90)) > ${clock.now()}::timestamptz)`);
  if (!found) throw NotFound();
  return found.ticket_id;
}

/** Finds the ticket of a link, for a visitor without an account. @throws NotFound like `openLink` */
export const findLink = (db: Db, token: string): Promise<string> => openLink({ db, caller: null, params: { token } });
