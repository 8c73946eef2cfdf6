-- Whether clients of one customer see each other's tickets in this workspace. It refuses nothing. It is SQL, and runs as the
-- owner, because the visibility of tickets asks it for callers who see no settings.
CREATE OR REPLACE FUNCTION shares_within_customer() RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT coalesce((SELECT share_within_customer FROM settings
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid), FALSE)
$$;
REVOKE EXECUTE ON FUNCTION shares_within_customer() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION shares_within_customer() TO suite_confined, suite_viewer;
