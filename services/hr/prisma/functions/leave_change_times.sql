-- When each account of leave, or a request for its type of leave, changed last: as leave_changed_at, for all accounts together. It
-- runs as the owner for the same reason.
CREATE OR REPLACE FUNCTION leave_change_times()
RETURNS TABLE (employee_id uuid, employment_id uuid, leave_type_id uuid, changed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT NULL::uuid, line.employment_id, line.leave_type_id, max(line.created_at) FROM leave_ledger AS line
  WHERE line.workspace_id = current_setting('suite.workspace_id')::uuid GROUP BY 2, 3
  UNION ALL
  SELECT asked.employee_id, NULL::uuid, asked.leave_type_id, max(asked.updated_at) FROM leave_applications AS asked
  WHERE asked.workspace_id = current_setting('suite.workspace_id')::uuid GROUP BY 1, 3
$$;
REVOKE EXECUTE ON FUNCTION leave_change_times() FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_change_times() TO suite_confined, suite_viewer;
