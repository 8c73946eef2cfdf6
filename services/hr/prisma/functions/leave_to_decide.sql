-- The requests that wait for one of some people. Whoever is asked may read the request, also of somebody whom he would not see
-- otherwise, such as a deputy; so it runs as the owner, past the visibility of applications. The caller names himself and those
-- for whom he stands in.
CREATE OR REPLACE FUNCTION leave_to_decide(approvers uuid[]) RETURNS SETOF leave_applications
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM leave_applications
  WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND approver_id = ANY (approvers) AND status = 'pending'
$$;
REVOKE EXECUTE ON FUNCTION leave_to_decide(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_to_decide(uuid[]) TO suite_confined, suite_viewer;
