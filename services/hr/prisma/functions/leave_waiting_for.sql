-- Requests for leave that wait for an employee, or for somebody whose deputy he is on a day; by whom, and for when. They are his
-- to decide, also of people whom he would not see otherwise; so it runs as the owner. The caller names himself.
CREATE OR REPLACE FUNCTION leave_waiting_for(approver uuid, day date)
RETURNS TABLE (id uuid, employee jsonb, "from" date, "to" date, days numeric)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT asked.id, jsonb_build_object('id', employees.id, 'code', employees.code, 'name', employees.name), asked.from, asked.to, asked.days
  FROM leave_to_decide(leave_approvers(approver, day)) AS asked
    JOIN employees ON employees.workspace_id = asked.workspace_id AND employees.id = asked.employee_id
$$;
REVOKE EXECUTE ON FUNCTION leave_waiting_for(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_waiting_for(uuid, date) TO suite_confined, suite_viewer;
