-- Checks whether clients of one customer see each other's tickets in this workspace. Rejects nothing. In SQL because
-- the visibility rule of tickets calls it. Runs as the owner for callers who cannot read the settings.
CREATE OR REPLACE FUNCTION shares_within_customer() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT share_within_customer FROM settings
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid), FALSE)
$$;
REVOKE EXECUTE ON FUNCTION shares_within_customer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shares_within_customer() TO suite_confined, suite_viewer;
