-- The employees for whom an employee decides on a day: themselves, and the people whose deputy they are then. The deputy of an
-- employee who has left decides no longer. The caller need not see these employees, so the function runs as the owner.
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
