-- Returns the IDs that an audience can use to include the caller and, with the scope `team`, their reports. A staff
-- user without an employee is in the audience of all employees, if they may view such records. An employee who has left
-- is in no audience. Policies and lists call it once per statement. Runs as the owner and bypasses the visibility rules
-- of employees.
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
