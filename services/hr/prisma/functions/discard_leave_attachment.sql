-- Records the stored document of an application for removal when the application goes, or another document takes its place.
CREATE OR REPLACE FUNCTION discard_leave_attachment() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD.attachment_key IS NOT NULL AND (TG_OP = 'DELETE' OR NEW.attachment_key IS DISTINCT FROM OLD.attachment_key) THEN
    INSERT INTO discarded_files (workspace_id, key) VALUES (OLD.workspace_id, OLD.attachment_key) ON CONFLICT DO NOTHING;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER discard_leave_attachment AFTER UPDATE OF attachment_key OR DELETE ON leave_applications
  FOR EACH ROW EXECUTE FUNCTION discard_leave_attachment();
