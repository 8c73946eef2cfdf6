-- Checks whether an employee's payslip for a day is final, so that the attendance of the day can no longer change.
-- Returns no amount, and any user who sees the day may know the result. Therefore the function runs as the owner and
-- bypasses the visibility rules of payslips.
CREATE OR REPLACE FUNCTION is_paid_day(employee uuid, day date) RETURNS boolean
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM payroll_entries
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND employee_id = employee
      AND status IN ('finalised', 'withheld', 'paid') AND day BETWEEN period_start AND period_end)
$$;
REVOKE EXECUTE ON FUNCTION is_paid_day(uuid, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION is_paid_day(uuid, date) TO suite_confined, suite_viewer;
