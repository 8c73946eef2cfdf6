-- A mark of all that arrears of somebody depend on when a payslip is computed that looks back until a day: the facts of the span,
-- and which other payslips of it are final. While it is the same, that payslip has made up for everything, and is right itself.
CREATE OR REPLACE FUNCTION payroll_past_mark(slip uuid, person uuid, since date, until date) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws('|', payroll_facts_between(person, since, until),
    (SELECT sum(hashtextextended(id::text, 0)) FROM payroll_entries
      WHERE employee_id = person AND id <> slip AND regular AND period_end >= since AND status IN ('finalised', 'withheld', 'paid'))))
$$;
