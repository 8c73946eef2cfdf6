-- Returns the direct and indirect reports of the caller as of today with the scope `team`, and none with any other
-- scope. Unlike employees_in_reach, it excludes the caller. Managers see undecided records of their reports, but not
-- their own.
CREATE OR REPLACE FUNCTION employees_led(reach text) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH RECURSIVE led AS (
    SELECT id, 0 AS depth FROM employees
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND user_id = suite_actor_id() AND reach = 'team'
    UNION
    SELECT below.id, 1 FROM led JOIN employees AS below ON below.manager_id = led.id
    WHERE below.workspace_id = current_setting('suite.workspace_id')::uuid AND below.status <> 'left')
  SELECT coalesce(array_agg(id) FILTER (WHERE depth > 0), '{}') FROM led
$$;
REVOKE EXECUTE ON FUNCTION employees_led(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION employees_led(text) TO suite_confined, suite_viewer;
