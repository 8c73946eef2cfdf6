/** Invariants of the database of the support desk, as SQL that selects the rows that violate them. */
import type { Check } from '@suite/auditor';

export const checks: Check[] = [
  {
    name: 'the numbers of tickets have no gap: as many were given as the counter says, the last of them the highest',
    sql: `
      SELECT coalesce(counter.workspace_id, given.workspace_id) AS workspace_id, counter.last, given.times, given.highest
      FROM (SELECT * FROM number_counters WHERE type = 'ticket') AS counter FULL JOIN (
        SELECT workspace_id, count(*) AS times, max(number) AS highest FROM tickets GROUP BY 1) AS given USING (workspace_id)
      WHERE (coalesce(counter.last, 0), 'T-' || lpad(coalesce(counter.last, 0)::text, 6, '0'))
        IS DISTINCT FROM (coalesce(given.times, 0), coalesce(given.highest, 'T-000000'))`,
  },
  {
    name: 'the frequent questions of a category are numbered from 0 without a gap',
    sql: `
      SELECT workspace_id, category_id, array_agg(position ORDER BY position) AS positions FROM faqs GROUP BY 1, 2
      HAVING min(position) <> 0 OR max(position) <> count(*) - 1 OR count(DISTINCT position) <> count(*)`,
  },
  {
    name: 'the policies of a workspace are numbered from 0 without a gap',
    sql: `
      SELECT workspace_id, array_agg(position ORDER BY position) AS positions FROM sla_policies GROUP BY 1
      HAVING min(position) <> 0 OR max(position) <> count(*) - 1 OR count(DISTINCT position) <> count(*)`,
  },
  {
    name: 'an article has each of its former revisions, and its address leads to it',
    sql: `
      SELECT articles.workspace_id, articles.id FROM articles WHERE
        (SELECT count(*) FROM article_revisions AS former WHERE former.article_id = articles.id) <> articles.revision - 1
        OR NOT EXISTS (SELECT FROM article_slugs AS slugs WHERE slugs.article_id = articles.id AND slugs.slug = articles.slug)`,
  },
  {
    name: 'what is counted of votes on an article is what was voted',
    sql: `
      SELECT counts.workspace_id, counts.article_id FROM article_counts AS counts LEFT JOIN (
        SELECT article_id, count(*) FILTER (WHERE helpful) AS helpful, count(*) FILTER (WHERE NOT helpful) AS not_helpful
        FROM article_votes GROUP BY 1) AS votes USING (article_id)
      WHERE (counts.helpful, counts.not_helpful) <> (coalesce(votes.helpful, 0), coalesce(votes.not_helpful, 0))`,
  },
];
