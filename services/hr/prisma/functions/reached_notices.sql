-- Returns the IDs of the announcements, documents or events that concern the caller or that the caller created. Returns
-- null if there are many, because reading in list order then finds enough rows soon. A list calls it once, because it
-- would otherwise search long among the records of other employees. Returns IDs only, and the visibility rules still
-- apply to each record. Therefore the function runs as the owner.
CREATE OR REPLACE FUNCTION reached_notices(kind text, reach text) RETURNS uuid[]
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  WITH self AS MATERIALIZED (SELECT reach_in_audiences(reach) AS ids, suite_actor_id() AS id),
  found AS (
    SELECT id FROM announcements WHERE kind = 'announcement' AND workspace_id = current_setting('suite.workspace_id')::uuid
      AND audience && (SELECT ids FROM self)
    UNION SELECT id FROM announcements WHERE kind = 'announcement'
      AND workspace_id = current_setting('suite.workspace_id')::uuid AND created_by = (SELECT id FROM self)
    UNION SELECT id FROM hrm_documents WHERE kind = 'document' AND workspace_id = current_setting('suite.workspace_id')::uuid
      AND audience && (SELECT ids FROM self)
    UNION SELECT id FROM hrm_documents WHERE kind = 'document'
      AND workspace_id = current_setting('suite.workspace_id')::uuid AND created_by = (SELECT id FROM self)
    UNION SELECT id FROM events WHERE kind = 'event' AND workspace_id = current_setting('suite.workspace_id')::uuid
      AND audience && (SELECT ids FROM self)
    UNION SELECT id FROM events WHERE kind = 'event'
      AND workspace_id = current_setting('suite.workspace_id')::uuid AND created_by = (SELECT id FROM self)
    LIMIT 501)
  SELECT CASE WHEN reach <> 'all' AND count(*) <= 500 THEN coalesce(array_agg(found.id), '{}') END FROM found
$$;
REVOKE EXECUTE ON FUNCTION reached_notices(text, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION reached_notices(text, text) TO suite_viewer;
