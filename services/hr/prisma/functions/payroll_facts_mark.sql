-- Returns a checksum of all data that an employee's payslip is computed from. While the checksum is unchanged, the data
-- is unchanged. Therefore approving a run with thousands of payslips does not compute them again. The checksum covers
-- more data than the payslip uses. If it differs, the payslip itself is compared.
CREATE OR REPLACE FUNCTION payroll_facts_mark(payroll uuid, person uuid, since date, until date) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws('|', payroll_facts_between(person, since, until),
    (SELECT (bank_sealed, ytd_opening_sealed)::text FROM employees WHERE id = person),
    (SELECT sum(hashtextextended((id, left_sealed)::text, 0)) FROM recoveries WHERE employee_id = person AND status = 'open'),
    (SELECT sum(hashtextextended((id, left_sealed)::text, 0)) FROM employee_loans
      WHERE employee_id = person AND status = 'open'),
    (SELECT sum(hashtextextended((id, component_id, amount_sealed)::text, 0)) FROM payroll_one_offs
      WHERE payroll_id = payroll AND employee_id = person),
    (SELECT sum(hashtextextended((id, days, valid_from)::text, 0)) FROM leave_ledger AS line
      WHERE employee_id = person AND kind = 'encash' AND valid_from <= until
        AND NOT EXISTS (SELECT FROM payslip_leave_lines AS settled WHERE settled.id = line.id)),
    (SELECT sum(hashtextextended(id::text, 0)) FROM payroll_entries
      WHERE employee_id = person AND payroll_id <> payroll AND status IN ('finalised', 'withheld', 'paid'))))
$$;
