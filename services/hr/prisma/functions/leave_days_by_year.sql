-- Returns the days of a leave request by the year that they are charged to. Any user who sees a request may see its
-- days. Therefore the function runs as the owner and bypasses the visibility rules of days.
CREATE OR REPLACE FUNCTION leave_days_by_year(application uuid) RETURNS jsonb
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT coalesce(jsonb_object_agg(year, days), '{}') FROM (
    SELECT to_char(day, 'YYYY') AS year, sum(days)::text AS days FROM leave_days
    WHERE workspace_id = current_setting('suite.workspace_id')::uuid AND application_id = application
    GROUP BY 1) AS years
$$;
REVOKE EXECUTE ON FUNCTION leave_days_by_year(uuid) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION leave_days_by_year(uuid) TO suite_confined, suite_viewer;
