-- Returns a checksum of the workspace-wide payroll settings, without a limit in time: shifts, calendars, holidays and
-- components.
CREATE OR REPLACE FUNCTION payroll_company_mark() RETURNS text
LANGUAGE sql STABLE AS $$
  SELECT md5(concat_ws('|',
    (SELECT id FROM shifts WHERE is_default),
    (SELECT sum(hashtextextended((shift_id, effective_from, seq, terms)::text, 0)) FROM shift_versions),
    (SELECT sum(hashtextextended((id, branch_id, is_default, active)::text, 0)) FROM holiday_calendars),
    (SELECT sum(hashtextextended((id, calendar_id, "from", "to", paid)::text, 0)) FROM holidays),
    (SELECT sum(hashtextextended((id, code, name, kind, active)::text, 0)) FROM salary_components),
    (SELECT sum(hashtextextended((component_id, effective_from, seq, terms)::text, 0)) FROM salary_component_versions)))
$$;
