-- Returns the approvers for whom an employee decides on a day: the employee, and the employees whose deputy they are on
-- that day. A deputy of an employee who has left no longer decides. Runs as the owner, because the caller may not see
-- these employees.
CREATE OR REPLACE FUNCTION leave_approvers(approver uuid, day date) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT approver || ARRAY(
    SELECT deputies.employee_id FROM deputies JOIN employees AS absent ON absent.workspace_id = deputies.workspace_id
      AND absent.id = deputies.employee_id AND absent.status <> 'left'
    WHERE deputies.workspace_id = current_setting('suite.workspace_id')::uuid AND deputies.deputy_id = approver
      AND day BETWEEN deputies.from AND deputies.to)
$$;
REVOKE EXECUTE ON FUNCTION leave_approvers(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_approvers(uuid, date) TO suite_confined, suite_viewer;
