-- Returns the IDs that an audience can use to include some employees. They are the IDs of the employees, their
-- branches, departments and designations, and the ID of the workspace for audiences of all employees. A department
-- includes its subdepartments. The visibility rules of the caller apply.
CREATE OR REPLACE FUNCTION audience_of_employees(employee_ids uuid[]) RETURNS uuid[]
LANGUAGE sql STABLE SET search_path = public, pg_temp AS $$
  WITH RECURSIVE people AS (
    SELECT id, workspace_id, branch_id, department_id, designation_id FROM employees
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND id = ANY (employee_ids)),
  above AS (
    SELECT department_id AS id FROM people
    UNION
    SELECT departments.parent_id FROM above JOIN departments ON departments.id = above.id
    WHERE departments.workspace_id = current_setting('suite.workspace_id')::uuid AND departments.parent_id IS NOT NULL)
  SELECT coalesce(array_agg(id), '{}') FROM (
    SELECT unnest(ARRAY[id, workspace_id, branch_id, designation_id]) AS id FROM people UNION SELECT id FROM above) AS keys
$$;
