-- Returns the lock that keeps a day closed now for any of these parts of the books, or no row. It is SQL because ledger_post,
-- ledger_check and ledger_period ask for it inside their own statements, so that a day is closed for all of them by the same rule.
CREATE OR REPLACE FUNCTION period_lock_covering(workspace uuid, day date, scopes text[]) RETURNS SETOF "period_locks" LANGUAGE sql STABLE AS $$
  SELECT * FROM "period_locks"
  WHERE workspace_id = workspace AND (scope = 'all' OR scope = ANY(scopes))
    AND locked_through >= day AND (exception_until IS NULL OR exception_until <= now())
  ORDER BY locked_through DESC LIMIT 1
$$;
