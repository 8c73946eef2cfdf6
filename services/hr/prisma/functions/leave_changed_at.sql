-- Returns the time of the last change to an employee's leave account or leave requests of one type. Includes requests
-- that the caller may not see, but returns nothing else about them. Therefore the function runs as the owner and
-- bypasses the visibility rules of requests.
CREATE OR REPLACE FUNCTION leave_changed_at(employee uuid, employment uuid, type uuid) RETURNS timestamptz
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT greatest(
    (SELECT max(created_at) FROM leave_ledger
      WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND employment_id = employment AND leave_type_id = type),
    (SELECT max(updated_at) FROM leave_applications
      WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND employee_id = employee AND leave_type_id = type))
$$;
REVOKE EXECUTE ON FUNCTION leave_changed_at(uuid, uuid, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_changed_at(uuid, uuid, uuid) TO suite_confined, suite_viewer;
