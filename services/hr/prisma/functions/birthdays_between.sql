-- Returns the birthdays of colleagues in a range of days, if the workspace shows birthdays and the employee does not
-- hide theirs. A birthday on 29 February is returned as the 28th in other years. All employees may know the day, but
-- not the year. Therefore the function runs as the owner and bypasses the visibility rules of employees.
CREATE OR REPLACE FUNCTION birthdays_between(first_day date, last_day date)
RETURNS TABLE (employee_id uuid, name text, day date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT (extract(month FROM first_day) * 100 + extract(day FROM first_day))::int AS first,
      -- Includes birthdays on 29 February if the range ends on the 28th.
      (extract(month FROM last_day) * 100 + extract(day FROM last_day))::int + (to_char(last_day, 'MM-DD') = '02-28')::int AS last,
      last_day - first_day >= 365 AS whole_year),
  born AS (
    SELECT employees.id, employees.name, employees.dob FROM employees, asked
    WHERE employees.workspace_id = current_setting('suite.workspace_id')::uuid AND NOT hide_birthday AND dob IS NOT NULL
      AND status NOT IN ('onboarding', 'left')
      AND EXISTS (SELECT FROM settings WHERE settings.workspace_id = current_setting('suite.workspace_id')::uuid AND show_birthdays)
      AND (whole_year
        OR (first <= last AND (extract(month FROM dob) * 100 + extract(day FROM dob)) BETWEEN first AND last)
        OR (first > last AND ((extract(month FROM dob) * 100 + extract(day FROM dob)) >= first
          OR (extract(month FROM dob) * 100 + extract(day FROM dob)) <= last))))
  SELECT born.id, born.name, birthday.day FROM born
    CROSS JOIN generate_series(extract(year FROM first_day)::int, extract(year FROM last_day)::int) AS year
    CROSS JOIN LATERAL (
      SELECT (dob + make_interval(years => year - extract(year FROM dob)::int))::date AS day) AS birthday
  WHERE birthday.day BETWEEN first_day AND last_day AND birthday.day > dob
  ORDER BY birthday.day, born.name, born.id
$$;
REVOKE EXECUTE ON FUNCTION birthdays_between(date, date) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION birthdays_between(date, date) TO suite_confined, suite_viewer;
