-- Returns the leave requests that an employee can decide on a day, as approver or as deputy of an approver. Includes
-- requests of employees whom the caller cannot otherwise see. Therefore the function runs as the owner. Callers pass
-- only themselves.
CREATE OR REPLACE FUNCTION leave_waiting_for(approver uuid, day date)
RETURNS TABLE (id uuid, employee jsonb, "from" date, "to" date, days numeric)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT asked.id, jsonb_build_object('id', employees.id, 'code', employees.code, 'name', employees.name), asked.from, asked.to, asked.days
  FROM leave_to_decide(leave_approvers(approver, day)) AS asked
    JOIN employees ON employees.workspace_id = asked.workspace_id AND employees.id = asked.employee_id
$$;
REVOKE EXECUTE ON FUNCTION leave_waiting_for(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_waiting_for(uuid, date) TO suite_confined, suite_viewer;
