-- Returns the leave requests that await the approval of any of these employees. An approver may read a request even if
-- they cannot otherwise see its employee, for example as a deputy. Therefore the function runs as the owner and
-- bypasses the visibility rules of leave requests. Callers pass only themselves and the employees whose deputy they
-- are.
CREATE OR REPLACE FUNCTION leave_to_decide(approvers uuid[]) RETURNS SETOF leave_applications
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT * FROM leave_applications
  WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND approver_id = ANY (approvers) AND status = 'pending'
$$;
REVOKE EXECUTE ON FUNCTION leave_to_decide(uuid[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_to_decide(uuid[]) TO suite_confined, suite_viewer;
