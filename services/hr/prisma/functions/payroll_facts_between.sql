-- Returns a checksum of an employee's data on a range of days, as used by payslips. While the checksum is unchanged,
-- the payslips are unchanged. It covers more data than the payslips use. Attendance that is paid in a special way is
-- included as text. Other attendance is included as minutes, because hourly salaries pay minutes. The names of all
-- fields with a history are included, because a history also affects the days before its first row.
CREATE OR REPLACE FUNCTION payroll_facts_between(person uuid, since date, until date) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws('|',
    (SELECT (joining_date, dob, user_id, shift_id, branch_id, calendar_id, exit_date)::text FROM employees WHERE id = person),
    (SELECT sum(hashtextextended((id, joining_date, exit_date)::text, 0)) FROM employments WHERE employee_id = person),
    (SELECT concat_ws(',', string_agg(DISTINCT field, ','),
        sum(hashtextextended((id, field, effective_from, seq, value, value_sealed)::text, 0)) FILTER (WHERE effective_from <= until))
      FROM employee_history WHERE employee_id = person),
    (SELECT concat_ws(',',
        sum(hashint8extended((local_date - date '2000-01-01')::bigint * 10000 + worked_minutes, 0)) FILTER (WHERE state = 'closed'),
        sum(hashtextextended((local_date, state, status, overtime_minutes, overtime_approved, manual)::text, 0))
          FILTER (WHERE status IN ('absent', 'half_day') OR overtime_minutes > 0))
      FROM attendances WHERE employee_id = person AND local_date BETWEEN since AND until),
    (SELECT sum(hashtextextended((application.id, application.half_day, application.starts_midday, application.ends_midday,
        application.from, application.to, type.id, type.name, type.paid)::text, 0))
      FROM leave_applications AS application JOIN leave_types AS type ON type.id = application.leave_type_id
      WHERE application.employee_id = person AND application.from <= until AND application.to >= since),
    -- Includes leave just outside the range, because days off within unpaid leave are unpaid.
    (SELECT sum(hashtextextended((part.day, part.part, part.leave_application_id)::text, 0))
      FROM leave_parts(person, since - 14, until + 14) AS part),
    (SELECT sum(hashtextextended((project_times.id, local_date, seconds, approved)::text, 0))
      FROM project_times JOIN employees ON employees.user_id = project_times.user_id
      WHERE employees.id = person AND local_date BETWEEN since AND until)))
$$;
