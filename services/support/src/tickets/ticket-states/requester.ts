/**
 * Follows user changes in tickets: verifying an address links its tickets, and a user who leaves loses their
 * assignments.
 */
import { sql } from '@suite/chassis/database';
import { recordActivities } from '../../settings/activities/activity.ts';
import type { Db } from '../../operations.ts';
import { type ChangeContext, changeTicket, lockTicket } from './ticket-change.ts';
import { OPEN_STATES } from './ticket.rules.ts';

/** Assigns the tickets of an address to the user who has verified it. */
export async function linkRequester(db: Db, user_id: string): Promise<void> {
  await db.rows(sql`
    UPDATE tickets SET requester_user_id = users.id FROM users
    WHERE users.id = ${user_id}::uuid AND users.status = 'active' AND users.email_verified AND requester_email = lower(users.email)
      AND requester_user_id IS NULL AND tickets.workspace_id = users.workspace_id`);
}

/** Reassigns the open tickets of a user who has left to the default assignee of the category, or unassigns them. */
export async function unassignTickets(context: ChangeContext, user_id: string): Promise<void> {
  const { db } = context;
  const tickets = await db.rows<{ id: string; heir: string | null }>(sql`
    SELECT tickets.id, users.id AS heir FROM tickets
    LEFT JOIN categories ON categories.id = tickets.category_id
    LEFT JOIN users ON users.id = categories.default_assignee AND users.status = 'active' AND users.id <> ${user_id}::uuid
    WHERE assignee_id = ${user_id}::uuid AND deleted_at IS NULL
      AND tickets.status = ANY(${[...OPEN_STATES]}::text[]) ORDER BY tickets.id`);
  for (const { id, heir } of tickets) {
    const ticket = await lockTicket(context, id);
    if (ticket.assignee_id === user_id) await changeTicket(context, ticket, { columns: { assignee_id: heir } });
  }
  await db.category.updateMany({ where: { default_assignee: user_id }, data: { default_assignee: null } });
}

const ERASED_USER = { name: 'Former user', email: 'former-user@erased.invalid' };

/** Erases the personal data of a deleted requester. */
export async function eraseRequester(db: Db, user_id: string): Promise<void> {
  const tickets = await db.ticket.findMany({ where: { requester_user_id: user_id }, select: { id: true } });
  const ids = tickets.map(({ id }) => id);
  await db.mail.updateMany({ where: { ticket_id: { in: ids }, delivery: 'queued' }, data: { delivery: 'dropped' } });
  await db.reply.updateMany({
    where: { author_id: user_id },
    data: { author_name: ERASED_USER.name, author_email: null },
  });
  await db.ticketNote.updateMany({ where: { author_id: user_id }, data: { author_name: ERASED_USER.name } });
  const data = { requester_name: ERASED_USER.name, requester_email: ERASED_USER.email };
  await db.ticket.updateMany({ where: { id: { in: ids } }, data });
  await recordActivities(
    db,
    ids.map((ticket_id) => ({ ticket_id, verb: 'requester_erased' })),
  );
}
