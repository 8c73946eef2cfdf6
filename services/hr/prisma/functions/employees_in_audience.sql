-- Returns the employees in an audience. Employees who have yet to join or have left are excluded. A department includes
-- its subdepartments. The visibility rules of the caller apply.
CREATE OR REPLACE FUNCTION employees_in_audience(audience uuid[]) RETURNS SETOF uuid
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH RECURSIVE named AS (
    SELECT unnest(audience) AS id
    UNION
    SELECT departments.id FROM named JOIN departments ON departments.parent_id = named.id
    WHERE departments.workspace_id = current_setting('suite.workspace_id')::uuid)
  SELECT id FROM employees
  WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND status NOT IN ('onboarding', 'left')
    AND (workspace_id IN (SELECT id FROM named) OR branch_id IN (SELECT id FROM named) OR department_id IN (SELECT id FROM named)
      OR designation_id IN (SELECT id FROM named) OR id IN (SELECT id FROM named))
$$;
