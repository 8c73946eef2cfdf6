/** Reads and replies for the holder of a requester's link. */
import { find, sql } from '@suite/chassis/database';
import { TooManyRequests } from '@suite/chassis/faults';
import type { FileLinks } from '@suite/chassis/files';
import { type Caller, callerOnBehalfOf } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { addReply, type ReplyDraft } from '../replies/reply.ts';
import type { ChangeContext } from '../ticket-states/ticket-change.ts';
import { readTicket } from '../tickets/ticket.view.ts';

const REPLIES_AN_HOUR = 10;
const HOUR_S = 3_600;

/** Returns the caller for a link's holder, who acts as the requester and may not be a user. */
const linkHolder = (workspace_id: string, requester_user_id: string | null): Caller => ({
  ...callerOnBehalfOf(requester_user_id ?? '', workspace_id),
  kind: 'client',
  permissions: ['ticket.reply'],
});

const maskEmail = (email: string): string => email.replace(/^(.).*(?=@)/, '$1***');

/** Returns a ticket for the holder of its link. */
export async function readByLink(db: Db, id: string, links: FileLinks) {
  const { workspace_id, requester_user_id } = await find(db.ticket, id);
  const ticket = await readTicket(db, id, { caller: linkHolder(workspace_id, requester_user_id), links });
  const { name, email } = ticket.requester;
  return { ...ticket, requester: { name, email: maskEmail(email) } };
}

/** Counts the replies to a ticket and its follow-ups in the last hour, including replies that opened follow-ups. */
async function countRepliesByLink(db: Db, id: string): Promise<number> {
  const since = new Date(clock.now().getTime() - HOUR_S * 1_000);
  const [counted] = await db.rows<{ times: number }>(sql`
    WITH RECURSIVE continued (id, opened_at) AS (
      SELECT ${id}::uuid, NULL::timestamptz
      UNION SELECT tickets.id, tickets.created_at FROM tickets JOIN continued ON tickets.linked_to = continued.id)
    SELECT (SELECT count(*) FROM replies JOIN continued ON continued.id = replies.ticket_id WHERE by_link AND at > ${since})
      + (SELECT count(*) FROM continued WHERE opened_at > ${since}) AS times`);
  return counted!.times;
}

/** Adds a reply of the requester. @throws TooManyRequests after ten replies in an hour */
export async function addReplyByLink(context: ChangeContext, id: string, draft: ReplyDraft, links: FileLinks) {
  const { db } = context;
  const { requester_name: name, requester_email: email, requester_user_id } = await find(db.ticket, id);
  if ((await countRepliesByLink(db, id)) >= REPLIES_AN_HOUR) throw TooManyRequests({ retry_after_s: HOUR_S });
  return await addReply(
    context,
    id,
    draft,
    { kind: 'customer', id: requester_user_id, name, email, by_link: true },
    links,
  );
}
