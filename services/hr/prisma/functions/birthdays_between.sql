-- Birthdays of colleagues that fall on some days, where the company shows them and the person does not hide his. Everybody who
-- works here may know of them, but not of the year; so it runs as the owner, past the visibility of employees. Who was born on
-- 29 February has his birthday on the 28th in other years.
CREATE OR REPLACE FUNCTION birthdays_between(first_day date, last_day date)
RETURNS TABLE (employee_id uuid, name text, day date)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH asked AS (
    SELECT (extract(month FROM first_day) * 100 + extract(day FROM first_day))::int AS first,
      -- Whoever was born on the 29th is looked at from the 28th on.
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
