-- Returns a checksum of all data that an employee's arrears depend on, for a payslip that looks back over a range of
-- days. It covers the employee's data in the range, and the other final payslips in it. While the checksum is
-- unchanged, the payslip includes all arrears and is correct.
CREATE OR REPLACE FUNCTION payroll_past_mark(slip uuid, person uuid, since date, until date) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws('|', payroll_facts_between(person, since, until),
    (SELECT sum(hashtextextended(id::text, 0)) FROM payroll_entries
      WHERE employee_id = person AND id <> slip AND regular AND period_end >= since AND status IN ('finalised', 'withheld', 'paid'))))
$$;
