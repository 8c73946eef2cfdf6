-- Recomputes the workspace's counters of count_ticket() and returns how many were wrong. Rejects nothing. In SQL
-- because the computed and the stored counts must come from one snapshot. Their difference is then exact despite
-- concurrent changes, and is added like the difference of any other change.
CREATE OR REPLACE FUNCTION recount_tickets() RETURNS integer LANGUAGE plpgsql AS $$
DECLARE
  wrong integer := 0;
  found integer;
BEGIN
  INSERT INTO ticket_counts (workspace_id, side, user_id, status, tickets)
  SELECT workspace_id, side, user_id, status, coalesce(counted.tickets, 0) - coalesce(kept.tickets, 0) FROM (
    SELECT workspace_id, 'assignee' AS side, coalesce(assignee_id, '00000000-0000-0000-0000-000000000000') AS user_id, status,
      count(*)::integer AS tickets
    FROM tickets WHERE deleted_at IS NULL GROUP BY 1, 2, 3, 4
    UNION ALL
    SELECT workspace_id, 'requester', requester_user_id, public_status, count(*)::integer
    FROM tickets WHERE deleted_at IS NULL AND requester_user_id IS NOT NULL GROUP BY 1, 2, 3, 4
  ) AS counted FULL JOIN ticket_counts AS kept USING (workspace_id, side, user_id, status)
  WHERE coalesce(counted.tickets, 0) <> coalesce(kept.tickets, 0) ORDER BY 1, 2, 3, 4
  ON CONFLICT (workspace_id, side, user_id, status) DO UPDATE SET tickets = ticket_counts.tickets + EXCLUDED.tickets;
  GET DIAGNOSTICS wrong = ROW_COUNT;

  INSERT INTO ticket_figures (workspace_id, slot, created, resolved, closed, rated, stars)
  SELECT workspace_id, slot, coalesce(counted.created, 0) - coalesce(kept.created, 0),
    coalesce(counted.resolved, 0) - coalesce(kept.resolved, 0), coalesce(counted.closed, 0) - coalesce(kept.closed, 0),
    coalesce(counted.rated, 0) - coalesce(kept.rated, 0), coalesce(counted.stars, 0) - coalesce(kept.stars, 0)
  FROM (
    SELECT workspace_id, date_bin('15 minutes', at, 'epoch') AS slot, sum(created)::integer AS created,
      sum(resolved)::integer AS resolved, sum(closed)::integer AS closed, sum(rated)::integer AS rated,
      sum(rated * coalesce(rating, 0))::integer AS stars
    FROM tickets, LATERAL (VALUES (created_at, 1, 0, 0, 0), (resolved_at, 0, 1, 0, 0), (closed_at, 0, 0, 1, 0),
      (rated_at, 0, 0, 0, 1)) AS moments (at, created, resolved, closed, rated)
    WHERE deleted_at IS NULL AND at IS NOT NULL GROUP BY 1, 2
  ) AS counted FULL JOIN ticket_figures AS kept USING (workspace_id, slot)
  WHERE (coalesce(counted.created, 0), coalesce(counted.resolved, 0), coalesce(counted.closed, 0), coalesce(counted.rated, 0),
      coalesce(counted.stars, 0))
    <> (coalesce(kept.created, 0), coalesce(kept.resolved, 0), coalesce(kept.closed, 0), coalesce(kept.rated, 0),
      coalesce(kept.stars, 0)) ORDER BY 1, 2
  ON CONFLICT (workspace_id, slot) DO UPDATE
  SET created = ticket_figures.created + EXCLUDED.created, resolved = ticket_figures.resolved + EXCLUDED.resolved,
    closed = ticket_figures.closed + EXCLUDED.closed, rated = ticket_figures.rated + EXCLUDED.rated,
    stars = ticket_figures.stars + EXCLUDED.stars;
  GET DIAGNOSTICS found = ROW_COUNT;
  wrong := wrong + found;

  INSERT INTO ticket_tags (workspace_id, tag, tickets)
  SELECT workspace_id, tag, coalesce(counted.tickets, 0) - coalesce(kept.tickets, 0) FROM (
    SELECT workspace_id, tag, count(*)::integer AS tickets FROM tickets, LATERAL unnest(tags) AS tag
    WHERE deleted_at IS NULL GROUP BY 1, 2
  ) AS counted FULL JOIN ticket_tags AS kept USING (workspace_id, tag)
  WHERE coalesce(counted.tickets, 0) <> coalesce(kept.tickets, 0) ORDER BY 1, 2
  ON CONFLICT (workspace_id, tag) DO UPDATE SET tickets = ticket_tags.tickets + EXCLUDED.tickets;
  GET DIAGNOSTICS found = ROW_COUNT;
  RETURN wrong + found;
END
$$;
