-- The ids by which an audience can name the caller or, with the scope team, those whom he leads, too. A member of staff who is no
-- employee stands among everybody, if he may look such records up; somebody who has left stands nowhere. Policies and lists ask
-- it once for a statement. It runs as the owner, past the visibility of employees.
CREATE OR REPLACE FUNCTION reach_in_audiences(reach text) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH self AS (
    SELECT status FROM employees
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND user_id = suite_actor_id())
  SELECT CASE
    WHEN (SELECT status FROM self) = 'left' THEN '{}'
    WHEN EXISTS (SELECT FROM self)
      THEN audience_of_employees(employees_in_reach(CASE reach WHEN 'team' THEN 'team' ELSE 'own' END))
    WHEN reach <> 'none' THEN ARRAY[current_setting('suite.workspace_id')::uuid]
    ELSE '{}' END
$$;
REVOKE EXECUTE ON FUNCTION reach_in_audiences(text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reach_in_audiences(text) TO suite_viewer;
