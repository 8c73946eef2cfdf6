-- Returns the caller's own employee, regardless of their record scope. Used for kinds of records that managers do not
-- see. Runs as the owner and bypasses the visibility rules of employees.
CREATE OR REPLACE FUNCTION own_employee(reach text) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(array_agg(id), '{}') FROM employees
  WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND user_id = suite_actor_id()
$$;
REVOKE EXECUTE ON FUNCTION own_employee(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION own_employee(text) TO suite_viewer;
