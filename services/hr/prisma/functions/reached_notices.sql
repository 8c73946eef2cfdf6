-- The ids of the announcements, documents or events that concern the caller or that he has written, where those are few; null for
-- many, which the order of a list finds soon. A list asks it once: among very many that concern others it would look long. It
-- tells no more than their ids, of which the visibility of each still decides; so it runs as the owner.
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
