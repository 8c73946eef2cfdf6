/** Invariants of reports: their facts, recalculated from tickets, SLA timers, replies and the history. */
import type { AuditCheck } from '@suite/auditor';

const OPEN = `('new', 'open', 'pending', 'on_hold')`;
const ENDS = `('resolved', 'merged', 'spam')`;

export const reportChecks: AuditCheck[] = [
  {
    name: 'work on a ticket ended as often as it began, plus once if over, never if deleted',
    sql: `
      SELECT tickets.workspace_id, tickets.id, status, ends, begins FROM tickets, LATERAL (
        SELECT count(*) AS facts, count(*) FILTER (WHERE kind IN ${ENDS}) AS ends,
          count(*) FILTER (WHERE kind = 'reopened') AS reopened, count(*) FILTER (WHERE kind IN ('reopened', 'restored')) AS begins
        FROM ticket_facts WHERE ticket_id = tickets.id) AS kept
      WHERE CASE WHEN deleted_at IS NOT NULL THEN facts <> 0
        ELSE ends <> begins + (status NOT IN ${OPEN})::int OR reopened <> reopened_count END`,
  },
  {
    name: 'work on a ticket began again as its history records',
    sql: `
      WITH told AS (
        SELECT activities.workspace_id, ticket_id, activities.at, diff -> 'status' ->> 0 AS was FROM activities
        JOIN tickets ON tickets.id = ticket_id AND deleted_at IS NULL
        WHERE verb = 'status_changed' AND diff -> 'status' ->> 1 = 'open' AND diff -> 'status' ->> 0 IN ('resolved', 'spam')),
      kept AS (SELECT workspace_id, ticket_id, at, CASE kind WHEN 'reopened' THEN 'resolved' ELSE 'spam' END AS was
        FROM ticket_facts WHERE kind IN ('reopened', 'restored'))
      (SELECT * FROM told EXCEPT ALL SELECT * FROM kept) UNION ALL (SELECT * FROM kept EXCEPT ALL SELECT * FROM told)`,
  },
  {
    name: 'each work period of a ticket begins after the end of the previous one',
    sql: `
      SELECT facts.workspace_id, facts.ticket_id, facts.at FROM ticket_facts AS facts JOIN tickets ON tickets.id = facts.ticket_id
      LEFT JOIN LATERAL (SELECT max(at) AS at FROM ticket_facts AS began WHERE began.ticket_id = facts.ticket_id
        AND began.kind IN ('reopened', 'restored') AND began.at <= facts.at) AS began ON TRUE
      WHERE facts.kind IN ${ENDS} AND (facts.opened_at <> coalesce(began.at, tickets.created_at) OR facts.first <> (began.at IS NULL))`,
  },
  {
    name: 'the last resolution and rating facts match the ticket',
    sql: `
      SELECT tickets.workspace_id, tickets.id FROM tickets
      LEFT JOIN LATERAL (SELECT at FROM ticket_facts WHERE ticket_id = tickets.id AND kind = 'resolved' ORDER BY run DESC LIMIT 1)
        AS resolved ON TRUE
      LEFT JOIN ticket_facts AS rated ON rated.ticket_id = tickets.id AND rated.kind = 'rated' AND rated.run = reopened_count + 1
      WHERE deleted_at IS NULL AND ((resolved_at IS NOT NULL AND resolved_at IS DISTINCT FROM resolved.at)
        OR (tickets.rated_at, tickets.rating) IS DISTINCT FROM (rated.at, rated.rating::int))`,
  },
  {
    name: 'a first reply has one fact, with the first agent who replied',
    sql: `
      SELECT tickets.workspace_id, tickets.id FROM tickets
      LEFT JOIN ticket_facts AS fact ON fact.ticket_id = tickets.id AND fact.kind = 'answered'
      LEFT JOIN LATERAL (SELECT author_id FROM replies WHERE replies.ticket_id = tickets.id AND author_kind = 'agent'
        AND replies.at <= fact.at ORDER BY at, id LIMIT 1) AS reply ON TRUE
      WHERE deleted_at IS NULL AND ((first_responded_at IS NOT NULL AND fact.at IS NULL) OR fact.at > first_responded_at
        OR (reply.author_id IS NOT NULL AND reply.author_id <> fact.user_id))`,
  },
  {
    name: 'the replies that a fact counts were sent while its ticket was open',
    sql: `
      SELECT facts.workspace_id, facts.ticket_id, facts.replies, least, most FROM ticket_facts AS facts, LATERAL (
        SELECT count(*) FILTER (WHERE replies.at < facts.at) AS least, count(*) AS most FROM replies
        WHERE replies.ticket_id = facts.ticket_id AND author_kind = 'agent' AND replies.at BETWEEN facts.opened_at AND facts.at) AS given
      WHERE facts.kind IN ${ENDS} AND facts.replies NOT BETWEEN least AND most`,
  },
  {
    name: 'each SLA breach has one fact, at its due time',
    sql: `
      SELECT coalesce(broken.workspace_id, facts.workspace_id) AS workspace_id, coalesce(broken.ticket_id, facts.ticket_id) AS ticket_id
      FROM (SELECT clock.workspace_id, ticket_id, target || '_breached' AS kind, run, clock.breached_at AS at FROM ticket_clocks AS clock
        JOIN tickets ON tickets.id = ticket_id AND deleted_at IS NULL WHERE clock.breached_at IS NOT NULL) AS broken
      FULL JOIN (SELECT * FROM ticket_facts WHERE kind LIKE '%_breached') AS facts USING (ticket_id, kind, run)
      WHERE broken.at IS DISTINCT FROM facts.at`,
  },
];
