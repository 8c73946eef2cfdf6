/** Search for tickets by words, ranked by relevance. */
import { type Sql, sql } from '@suite/chassis/database';
import { NotFound } from '@suite/chassis/faults';
import type { Caller } from '@suite/chassis/identity';
import { type ListRequest, type Matches, newestMatches, searchQuery } from '@suite/chassis/lists';
import type { Db } from '../../operations.ts';

/** Weight of a match by its location. Within a ticket, the subject has more weight than the description. */
const WEIGHTS = { tickets: 1, replies: 0.5, notes: 0.25 };

/**
 * Returns the tickets that match the words in their text, their replies and, for agents with access to notes, their
 * notes. Excludes notes of tickets that the caller requested.
 */
export function ticketMatches({ kind, permissions, user_id }: Caller, q: string): Required<Matches> {
  const isStaff = kind === 'owner' || kind === 'staff';
  const canReadNotes = isStaff && permissions.includes('ticket.note');
  // The search index contains the requester's e-mail address, which clients cannot see.
  const matchesVisibleText = sql`
    AND suite_document(concat_ws(' ', subject, number, description, requester_name)) @@ ${searchQuery(q)}`;
  const notRequestedByCaller = sql`thread_id NOT IN (SELECT id FROM tickets WHERE requester_user_id = ${user_id}::uuid)`;
  const rank = (weight: number) => sql`ts_rank(search, ${searchQuery(q)}) * ${weight}::real`;
  const all = (table: string) => sql`SELECT suite_search(${table}::regclass, ${q})`;
  const newest = (table: string) => newestMatches(table, q);
  const union = (condition: typeof all, ranked: (weight: number) => Sql) => sql`
    SELECT id${ranked(WEIGHTS.tickets)} FROM tickets WHERE id = ANY (ARRAY(${condition('tickets')})) ${isStaff ? sql`` : matchesVisibleText}
    UNION ALL SELECT unnest(ARRAY[thread_id, ticket_id])${ranked(WEIGHTS.replies)} FROM replies WHERE id = ANY (ARRAY(${condition('replies')}))
    ${canReadNotes ? sql`UNION ALL SELECT thread_id${ranked(WEIGHTS.notes)} FROM ticket_notes WHERE id = ANY (ARRAY(${condition('ticket_notes')})) AND ${notRequestedByCaller}` : sql``}`;
  return { ids: union(all, () => sql``), newest: union(newest, (weight) => sql`, ${rank(weight)} AS rank`) };
}

/** Returns a filter by tags: any of these tags, none of these tags, or no tags at all. */
export function tagFilter({ operator, values }: ListRequest['filters'][number]): Sql {
  if (operator === 'null') return values[0] ? sql`tickets.tags = '{}'` : sql`tickets.tags <> '{}'`;
  if (operator === 'ne') return sql`NOT tickets.tags && ${values}::text[]`;
  if (operator !== 'like') return sql`tickets.tags && ${values}::text[]`;
  return sql`EXISTS (SELECT FROM unnest(tickets.tags) AS tag WHERE strpos(tag, lower(${String(values[0])})) > 0)`;
}

const NUMBER = /^T-\d+$/;

/** Finds a ticket by its ID or its number. @throws NotFound */
export async function findTicket(db: Db, name: string): Promise<string> {
  const condition = NUMBER.test(name) ? sql`number = ${name}` : sql`id = ${name}::uuid`;
  const [ticket] = await db.rows<{ id: string }>(sql`SELECT id FROM tickets WHERE ${condition} AND deleted_at IS NULL`);
  if (!ticket) throw NotFound();
  return ticket.id;
}
