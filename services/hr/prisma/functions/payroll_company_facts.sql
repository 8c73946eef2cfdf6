-- Returns a checksum of the workspace-wide payroll settings up to a day: shifts, calendars, holidays and components.
CREATE OR REPLACE FUNCTION payroll_company_facts(until date) RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws('|',
    (SELECT id FROM shifts WHERE is_default),
    (SELECT sum(hashtextextended((shift_id, effective_from, seq, terms)::text, 0)) FROM shift_versions WHERE effective_from <= until),
    (SELECT sum(hashtextextended((id, branch_id, is_default, active)::text, 0)) FROM holiday_calendars),
    (SELECT sum(hashtextextended((id, calendar_id, "from", "to", paid)::text, 0)) FROM holidays WHERE "from" <= until),
    (SELECT sum(hashtextextended((one.id, code, name, kind, version.effective_from, version.seq, version.terms)::text, 0))
      FROM salary_components AS one JOIN salary_component_versions AS version ON version.component_id = one.id
      WHERE version.effective_from <= until)))
$$;
