-- Whether a payslip of a day is final: the day is counted no other way then. It tells no figure, and whoever sees the day may
-- know; so it runs as the owner, past the visibility of payslips.
CREATE OR REPLACE FUNCTION is_paid_day(employee uuid, day date) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM payroll_entries
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND employee_id = employee
      AND status IN ('finalised', 'withheld', 'paid') AND day BETWEEN period_start AND period_end)
$$;
REVOKE EXECUTE ON FUNCTION is_paid_day(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_paid_day(uuid, date) TO suite_confined, suite_viewer;
