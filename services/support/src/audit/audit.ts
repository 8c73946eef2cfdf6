/** Invariants of the support database, as SQL that selects the rows that violate them. */
import type { AuditCheck } from '@suite/auditor';
import { slaTargetChecks } from './sla-targets.ts';
import { reportChecks } from './reports.ts';

export const checks: AuditCheck[] = [
  {
    name: 'ticket numbers have no gaps, and their count and maximum match the counter',
    sql: `
      SELECT coalesce(counter.workspace_id, given.workspace_id) AS workspace_id, counter.last, given.times, given.highest
      FROM (SELECT * FROM number_counters WHERE type = 'ticket') AS counter FULL JOIN (
        SELECT workspace_id, count(*) AS times, max(number) AS highest FROM tickets GROUP BY 1) AS given USING (workspace_id)
      WHERE (coalesce(counter.last, 0), 'T-' || lpad(coalesce(counter.last, 0)::text, 6, '0'))
        IS DISTINCT FROM (coalesce(given.times, 0), coalesce(given.highest, 'T-000000'))`,
  },
  {
    name: 'the counts of tickets by status match the tickets',
    sql: `
      WITH counted AS (
        SELECT workspace_id, 'assignee' AS side, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000') AS user_id, status,
          count(*) AS tickets
        FROM tickets WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4
        UNION ALL
        SELECT workspace_id, 'requester', requester_user_id, public_status, count(*)
        FROM tickets WHERE deleted_at IS NULL AND requester_user_id IS NOT NULL GROUP BY 1, 2, 3, 4)
      SELECT workspace_id, side, user_id, status, kept.tickets AS kept, counted.tickets AS counted
      FROM ticket_counts AS kept FULL JOIN counted USING (workspace_id, side, user_id, status)
      WHERE coalesce(kept.tickets, 0) <> coalesce(counted.tickets, 0)`,
  },
  {
    name: 'the counts per 15 minutes match the tickets',
    sql: `
      WITH counted AS (
        SELECT workspace_id, date_bin('15 minutes', at, 'epoch') AS slot, sum(created) AS created, sum(resolved) AS resolved,
          sum(closed) AS closed, sum(rated) AS rated, sum(rated * rating) AS stars
        FROM tickets, LATERAL (VALUES (created_at, 1, 0, 0, 0), (resolved_at, 0, 1, 0, 0), (closed_at, 0, 0, 1, 0),
          (rated_at, 0, 0, 0, 1)) AS moments (at, created, resolved, closed, rated)
        WHERE deleted_at IS NULL AND at IS NOT NULL GROUP BY 1, 2)
      SELECT workspace_id, slot FROM ticket_figures AS kept FULL JOIN counted USING (workspace_id, slot)
      WHERE (coalesce(kept.created, 0), coalesce(kept.resolved, 0), coalesce(kept.closed, 0), coalesce(kept.rated, 0),
          coalesce(kept.stars, 0))
        <> (coalesce(counted.created, 0), coalesce(counted.resolved, 0), coalesce(counted.closed, 0),
          coalesce(counted.rated, 0), coalesce(counted.stars, 0))`,
  },
  {
    name: 'the counts of tags match the tickets',
    sql: `
      WITH counted AS (
        SELECT workspace_id, tag, count(*) AS tickets FROM tickets, LATERAL unnest(tags) AS tag
        WHERE deleted_at IS NULL GROUP BY 1, 2)
      SELECT workspace_id, tag, kept.tickets AS kept, counted.tickets AS counted
      FROM ticket_tags AS kept FULL JOIN counted USING (workspace_id, tag)
      WHERE coalesce(kept.tickets, 0) <> coalesce(counted.tickets, 0)`,
  },
  {
    name: 'a merged ticket has its target’s number and status, and its thread is there',
    sql: `
      SELECT source.workspace_id, source.id FROM tickets AS source
      JOIN tickets AS target ON target.id = source.merged_into
      WHERE source.merged_number <> target.number OR target.status = 'merged'
        OR (source.public_status <> target.public_status AND target.deleted_at IS NULL)
      UNION ALL
      SELECT replies.workspace_id, replies.id FROM replies JOIN tickets ON tickets.id = replies.ticket_id
      WHERE replies.thread_id <> coalesce(tickets.merged_into, tickets.id)`,
  },
  {
    name: 'the public status of a ticket follows from its status',
    sql: `
      SELECT workspace_id, id, status, public_status FROM tickets WHERE status <> 'merged' AND public_status <> CASE status
        WHEN 'pending' THEN 'waiting_for_you' WHEN 'resolved' THEN 'resolved' WHEN 'closed' THEN 'closed'
        WHEN 'spam' THEN 'closed' ELSE 'open' END`,
  },
  {
    name: 'the FAQs of a category are numbered from 0 without a gap',
    sql: `
      SELECT workspace_id, category_id, array_agg(position ORDER BY position) AS positions FROM faqs GROUP BY 1, 2
      HAVING min(position) <> 0 OR max(position) <> count(*) - 1 OR count(DISTINCT position) <> count(*)`,
  },
  {
    name: 'policies of a workspace are numbered from 0 without gaps',
    sql: `
      SELECT workspace_id, array_agg(position ORDER BY position) AS positions FROM sla_policies GROUP BY 1
      HAVING min(position) <> 0 OR max(position) <> count(*) - 1 OR count(DISTINCT position) <> count(*)`,
  },
  {
    name: 'each article has all its previous revisions, and its slug belongs to it',
    sql: `
      SELECT articles.workspace_id, articles.id FROM articles WHERE
        (SELECT count(*) FROM article_revisions AS former WHERE former.article_id = articles.id) <> articles.revision - 1
        OR NOT EXISTS (SELECT FROM article_slugs AS slugs WHERE slugs.article_id = articles.id AND slugs.slug = articles.slug)`,
  },
  {
    name: 'vote counts of an article match its votes',
    sql: `
      SELECT counts.workspace_id, counts.article_id FROM article_counts AS counts LEFT JOIN (
        SELECT article_id, count(*) FILTER (WHERE helpful) AS helpful, count(*) FILTER (WHERE NOT helpful) AS not_helpful
        FROM article_votes GROUP BY 1) AS votes USING (article_id)
      WHERE (counts.helpful, counts.not_helpful) <> (coalesce(votes.helpful, 0), coalesce(votes.not_helpful, 0))`,
  },
  ...slaTargetChecks,
  ...reportChecks,
];
