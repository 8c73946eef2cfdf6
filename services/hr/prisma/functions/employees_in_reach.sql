-- Returns the employees whose records of a kind the caller sees. These are the caller and, with the scope `team`, all
-- direct and indirect reports as of today. Policies and lists call it once per statement. Runs as the owner, because
-- the visibility rules of employees call it.
CREATE OR REPLACE FUNCTION employees_in_reach(reach text) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH RECURSIVE led AS (
    SELECT id FROM employees WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND user_id = suite_actor_id()
    UNION
    SELECT below.id FROM led JOIN employees AS below ON below.manager_id = led.id
    WHERE reach = 'team' AND below.workspace_id = current_setting('suite.workspace_id')::uuid AND below.status <> 'left')
  SELECT coalesce(array_agg(id), '{}') FROM led WHERE reach IN ('own', 'team', 'none')
$$;
REVOKE EXECUTE ON FUNCTION employees_in_reach(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION employees_in_reach(text) TO suite_viewer, suite_confined;
