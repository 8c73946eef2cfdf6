-- The employees whose records of a kind the caller sees: himself and, with the scope team, everybody below him in the tree of
-- managers as of today, at any depth. Policies and lists ask it once for a statement. It runs as the owner, past the
-- visibility of employees, which asks it.
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
