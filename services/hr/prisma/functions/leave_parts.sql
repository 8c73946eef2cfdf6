-- The parts of days that approved leave takes of an employee: the first or the second half, or the full day. A day may have two
-- parts. Whoever sees a day of attendance sees its leave, without kind and reason; so it runs as the owner, past the visibility
-- of applications.
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
