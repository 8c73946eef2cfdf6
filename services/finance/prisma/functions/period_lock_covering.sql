-- Returns the lock that currently closes a day for any of these scopes, or no row. Rejects nothing. In SQL because
-- ledger_post, ledger_check and ledger_period call it within their own statements. All three apply the same rule.
CREATE OR REPLACE FUNCTION period_lock_covering(workspace uuid, day date, scopes text[]) RETURNS SETOF "period_locks" LANGUAGE sql STABLE AS $$
  SELECT * FROM "period_locks"
  WHERE workspace_id = workspace AND (scope = 'all' OR scope = ANY(scopes))
    AND locked_through >= day AND (exception_until IS NULL OR exception_until <= now())
  ORDER BY locked_through DESC LIMIT 1
$$;
