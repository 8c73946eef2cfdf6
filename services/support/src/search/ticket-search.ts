/** Which tickets have the words that somebody searches for, and how well they match. */
import { type Caller, type ListRequest, NotFound, type Sql, sql } from '@suite/chassis';
import type { Db } from '../operations.ts';

/** How much words count by where they stand; within a ticket, its subject counts more than its description. */
const WEIGHTS = { tickets: 1, replies: 0.5, notes: 0.25 };

/**
 * The tickets that have the words, with how well they match: in the ticket, in its replies and, for agents who read them, in
 * its notes, but for those of their own tickets.
 */
export function matching({ kind, permissions, user_id }: Caller, q: string): Sql {
  const rank = (weight: number) => sql`ts_rank(search, suite_query(${q})) * ${weight}::real`;
  const inNotes = sql`
    UNION ALL SELECT thread_id, ${rank(WEIGHTS.notes)} FROM ticket_notes
    WHERE id IN (SELECT suite_search('ticket_notes'::regclass, ${q})) AND thread_id NOT IN (
      SELECT id FROM tickets WHERE requester_user_id = ${user_id}::uuid)`;
  // The search index contains the requester's e-mail address, which clients do not see.
  const shown = sql`
    AND suite_document(concat_ws(' ', subject, number, description, requester_name)) @@ suite_query(${q})`;
  const isStaff = kind === 'owner' || kind === 'staff';
  const isReader = isStaff && permissions.includes('ticket.note');
  return sql`
    SELECT id, max(rank) AS rank FROM (
      SELECT id, ${rank(WEIGHTS.tickets)} AS rank FROM tickets
      WHERE id IN (SELECT suite_search('tickets'::regclass, ${q})) ${isStaff ? sql`` : shown}
      UNION ALL SELECT unnest(ARRAY[thread_id, ticket_id]), ${rank(WEIGHTS.replies)} FROM replies
      WHERE id IN (SELECT suite_search('replies'::regclass, ${q})) ${isReader ? inNotes : sql``}) AS found (id, rank)
    GROUP BY id`;
}

/** A filter by tags: a ticket has some of them, or none of them, or none at all. */
export function byTags({ operator, values }: ListRequest['filters'][number]): Sql {
  if (operator === 'null') return values[0] ? sql`tickets.tags = '{}'` : sql`tickets.tags <> '{}'`;
  if (operator === 'ne') return sql`NOT tickets.tags && ${values}::text[]`;
  if (operator !== 'like') return sql`tickets.tags && ${values}::text[]`;
  return sql`EXISTS (SELECT FROM unnest(tickets.tags) AS tag WHERE strpos(tag, lower(${String(values[0])})) > 0)`;
}

const NUMBER = /^T-\d+$/;

/** Finds a ticket that somebody names by its id or its number. @throws NotFound */
export async function findTicket(db: Db, name: string): Promise<string> {
  const found = NUMBER.test(name) ? sql`number = ${name}` : sql`id = ${name}::uuid`;
  const [ticket] = await db.rows<{ id: string }>(sql`SELECT id FROM tickets WHERE ${found} AND deleted_at IS NULL`);
  if (!ticket) throw NotFound();
  return ticket.id;
}
