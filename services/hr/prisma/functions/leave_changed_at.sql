-- When somebody's account of a type of leave, or what is asked of it, changed last. It tells no more than that, of requests
-- that the caller may not see as well; so it runs as the owner, past their visibility.
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
