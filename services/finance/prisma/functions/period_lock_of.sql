-- Returns the lock that currently closes a day for one scope, or no row. Rejects nothing. In SQL because the trigger
-- ledger_period calls it within its own statement.
CREATE OR REPLACE FUNCTION period_lock_of(workspace uuid, day date, of_scope text) RETURNS SETOF "period_locks" LANGUAGE sql STABLE AS $$
  SELECT * FROM period_lock_covering(workspace, day, ARRAY[of_scope])
$$;
