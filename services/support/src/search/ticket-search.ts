/** Which tickets have the words that somebody searches for, and how well they match. */
import { type Caller, type Sql, sql } from '@suite/chassis';

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
  const isReader = (kind === 'owner' || kind === 'staff') && permissions.includes('ticket.note');
  return sql`
    SELECT id, max(rank) AS rank FROM (
      SELECT id, ${rank(WEIGHTS.tickets)} AS rank FROM tickets WHERE id IN (SELECT suite_search('tickets'::regclass, ${q}))
      UNION ALL SELECT thread_id, ${rank(WEIGHTS.replies)} FROM replies
      WHERE id IN (SELECT suite_search('replies'::regclass, ${q})) ${isReader ? inNotes : sql``}) AS found (id, rank)
    GROUP BY id`;
}
