-- Returns the lock that keeps a day of one part of the books closed now, or no row. It is SQL because the trigger ledger_period
-- asks for it inside its own statement.
CREATE OR REPLACE FUNCTION period_lock_of(workspace uuid, day date, of_scope text) RETURNS SETOF "period_locks" LANGUAGE sql STABLE AS $$
  SELECT * FROM period_lock_covering(workspace, day, ARRAY[of_scope])
$$;
