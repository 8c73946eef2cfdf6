-- Returns the lock that keeps a day of a scope closed now, or no row. It is SQL because ledger_post and the trigger
-- ledger_period ask it inside their own statements, so that a day is closed for both by the same rule.
CREATE OR REPLACE FUNCTION period_lock_of(workspace uuid, day date, of_scope text) RETURNS SETOF "period_locks" LANGUAGE sql STABLE AS $$
  SELECT * FROM "period_locks"
  WHERE workspace_id = workspace AND scope IN ('all', of_scope)
    AND locked_through >= day AND (exception_until IS NULL OR exception_until <= now())
  ORDER BY locked_through DESC LIMIT 1
$$;
