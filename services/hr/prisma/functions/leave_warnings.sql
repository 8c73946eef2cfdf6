-- Returns warnings about an undecided leave request. The warnings do not prevent an approval. They are: more than half
-- of the department would be away on one of the days, or a required document is missing. Returns nothing else about
-- colleagues. Therefore the function runs as the owner and bypasses the visibility rules of their leave.
CREATE OR REPLACE FUNCTION leave_warnings(application uuid) RETURNS text[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT asked.*, employees.department_id, leave_types.requires_document_after FROM leave_applications AS asked
      JOIN employees ON employees.workspace_id = asked.workspace_id AND employees.id = asked.employee_id
      JOIN leave_types ON leave_types.workspace_id = asked.workspace_id AND leave_types.id = asked.leave_type_id
    WHERE asked.workspace_id = current_setting('suite.workspace_id')::uuid AND asked.id = application
      AND asked.status IN ('pending', 'first_approved')),
  colleagues AS (
    SELECT employees.workspace_id, employees.id FROM employees JOIN asked
      ON employees.workspace_id = asked.workspace_id AND employees.department_id = asked.department_id
    WHERE employees.id <> asked.employee_id AND employees.status NOT IN ('onboarding', 'left')),
  -- Starts with the days of the request, on which few are away. A department may have thousands of colleagues.
  away AS (
    SELECT taken.day, count(DISTINCT taken.employee_id) AS people FROM asked
      JOIN leave_days AS own ON own.workspace_id = asked.workspace_id AND own.application_id = asked.id
      JOIN leave_days AS taken ON taken.workspace_id = own.workspace_id AND taken.day = own.day
      JOIN leave_applications AS theirs ON theirs.workspace_id = taken.workspace_id AND theirs.id = taken.application_id
        AND theirs.status = 'approved'
      JOIN employees AS colleague ON colleague.workspace_id = taken.workspace_id AND colleague.id = taken.employee_id
        AND colleague.department_id = asked.department_id AND colleague.id <> asked.employee_id
        AND colleague.status NOT IN ('onboarding', 'left')
    GROUP BY taken.day)
  SELECT array_remove(ARRAY[
    CASE WHEN EXISTS (SELECT FROM away WHERE (people + 1) * 2 > (SELECT count(*) FROM colleagues) + 1) THEN 'department_cover' END,
    CASE WHEN EXISTS (SELECT FROM asked WHERE attachment_key IS NULL AND days > requires_document_after) THEN 'document_due' END], NULL)
$$;
REVOKE EXECUTE ON FUNCTION leave_warnings(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_warnings(uuid) TO suite_confined, suite_viewer;
