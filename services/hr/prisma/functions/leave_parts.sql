-- Returns the parts of days on which an employee has approved leave: first half, second half or full day. A day can
-- have two parts. Any user who sees a day of attendance may see its leave, without type and reason. Therefore the
-- function runs as the owner and bypasses the visibility rules of leave requests.
CREATE OR REPLACE FUNCTION leave_parts(person uuid, first_day date, last_day date)
RETURNS TABLE (day date, part text, leave_application_id uuid, leave_type_id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT taken.day,
    CASE WHEN taken.days >= 1 THEN 'full'
      WHEN application.half_day = 'second' OR (application.starts_midday AND taken.day = application.from) THEN 'second'
      ELSE 'first' END,
    application.id, application.leave_type_id
  FROM leave_days AS taken JOIN leave_applications AS application
    ON application.workspace_id = taken.workspace_id AND application.id = taken.application_id AND application.status = 'approved'
  WHERE taken.workspace_id = current_setting('suite.workspace_id')::uuid AND taken.employee_id = person
    AND taken.day BETWEEN first_day AND last_day
$$;
REVOKE EXECUTE ON FUNCTION leave_parts(uuid, date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_parts(uuid, date, date) TO suite_confined, suite_viewer;
