-- Returns the approved leave in a range of days, of all employees or of one department. Colleagues may know who is away
-- and when. The result excludes leave type and reason. Therefore the function runs as the owner and bypasses the
-- visibility rules of leave requests.
CREATE OR REPLACE FUNCTION leave_between(first_day date, last_day date, department uuid)
RETURNS TABLE (id uuid, employee_id uuid, code text, name text, "from" date, "to" date, half_day text, starts_midday boolean, ends_midday boolean, updated_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT leave_applications.id, leave_applications.employee_id, employees.code, employees.name, leave_applications.from,
    leave_applications.to, leave_applications.half_day, leave_applications.starts_midday, leave_applications.ends_midday,
    leave_applications.updated_at
  FROM leave_applications JOIN employees
    ON employees.workspace_id = leave_applications.workspace_id AND employees.id = leave_applications.employee_id
  WHERE leave_applications.workspace_id = current_setting('suite.workspace_id')::uuid AND leave_applications.status = 'approved'
    -- A leave request covers at most one year. This bounds the rows that the index on the first day reads.
    AND leave_applications.from BETWEEN first_day - 366 AND last_day AND leave_applications.to >= first_day
    AND (department IS NULL OR employees.department_id = department)
  ORDER BY leave_applications.from, employees.name, leave_applications.id
$$;
REVOKE EXECUTE ON FUNCTION leave_between(date, date, uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_between(date, date, uuid) TO suite_confined, suite_viewer;
