/** Reads and replies for the holder of a requester's link. */
import { find, sql } from '@suite/chassis/database';
import { TooManyRequests } from '@suite/chassis/faults';
import type { FileLinks } from '@suite/chassis/files';
import { type Caller, onBehalfOf } from '@suite/chassis/identity';
import { clock } from '@suite/chassis/runtime';
import type { Db } from '../../operations.ts';
import { addReply, type ReplyDraft } from '../../tickets/replies/reply.ts';
import type { ChangeContext } from '../../tickets/ticket-states/ticket-change.ts';
import { readTicket } from '../../tickets/tickets/ticket.view.ts';

const REPLIES_AN_HOUR = 10;
const HOUR_S = 3_600;

/** Returns the caller for a link's holder, who acts as the requester and may be no user. */
const holder = (workspace_id: string, requester_user_id: string | null): Caller => ({
  ...onBehalfOf(requester_user_id ?? '', workspace_id),
  kind: 'client',
  permissions: ['ticket.reply'],
});

const masked = (email: string): string => email.replace(/^(.).*(?=@)/, '$1***');

/** Returns a ticket for the holder of its link. */
export async function readByLink(db: Db, id: string, links: FileLinks) {
  const { workspace_id, requester_user_id } = await find(db.ticket, id);
  const ticket = await readTicket(db, id, { caller: holder(workspace_id, requester_user_id), links });
  const { name, email } = ticket.requester;
  return { ...ticket, requester: { name, email: masked(email) } };
}

/** Counts the replies to a ticket and its follow-ups in the last hour, including replies that opened follow-ups. */
async function repliesByLink(db: Db, id: string): Promise<number> {
  const since = new Date(clock.now().getTime() - HOUR_S * 1_000);
  const [given] = await db.rows<{ times: number }>(sql`
    WITH RECURSIVE continued (id, opened_at) AS (
      SELECT ${id}::uuid, NULL::timestamptz
      UNION SELECT tickets.id, tickets.created_at FROM tickets JOIN continued ON tickets.linked_to = continued.id)
    SELECT (SELECT count(*) FROM replies JOIN continued ON continued.id = replies.ticket_id WHERE by_link AND at > ${since})
      + (SELECT count(*) FROM continued WHERE opened_at > ${since}) AS times`);
  return given!.times;
}

/** Adds a reply of the requester. @throws TooManyRequests after ten replies in an hour */
export async function addReplyByLink(context: ChangeContext, id: string, said: ReplyDraft, links: FileLinks) {
  const { db } = context;
  const { requester_name: name, requester_email: email, requester_user_id } = await find(db.ticket, id);
  if ((await repliesByLink(db, id)) >= REPLIES_AN_HOUR) throw TooManyRequests({ retry_after_s: HOUR_S });
  return await addReply(
    context,
    id,
    said,
    { kind: 'customer', id: requester_user_id, name, email, by_link: true },
    links,
  );
}
