/** The author of a reply, and the role that a caller has in a ticket. */
import { sql } from '@suite/chassis/database';
import { invalid, NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import type { Db } from '../../operations.ts';
import { assertRequester, sideOf } from '../ticket-states/ticket-side.rules.ts';
import type { ReplyInput } from './reply.schema.ts';

/** Author of a reply: a caller, or the holder of the requester's link. */
export interface ReplyAuthor {
  kind: 'agent' | 'customer';
  id: string | null;
  name: string;
  email: string | null;
  by_link: boolean;
}

/** Returns the requester's user ID, if the requester is a user. @throws NotFound */
export async function readRequester(db: Db, id: string): Promise<{ requester_user_id: string | null }> {
  const [ticket] = await db.rows<{ requester_user_id: string | null }>(sql`
    SELECT requester_user_id FROM tickets WHERE id = ${id}::uuid`);
  if (!ticket) throw NotFound();
  return ticket;
}

/**
 * Returns the caller's role in a ticket. @throws a 422 for a status that requesters may not set, NotRequester if
 * another caller marks the ticket as solved
 */
export function replyAuthorOf(
  caller: Caller,
  ticket: { requester_user_id: string | null },
  { status }: ReplyInput,
): ReplyAuthor {
  const kind = sideOf(caller, ticket) === 'agent' ? 'agent' : 'customer';
  if (kind === 'customer' && status && status !== 'resolved')
    throw invalid('status', 'Use `resolved`, or omit the status.');
  if (kind === 'customer' && status) assertRequester(caller, ticket);
  return { kind, id: caller.user_id, name: caller.user_name, email: null, by_link: false };
}
