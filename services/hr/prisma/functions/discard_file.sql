-- Records the stored object of a file that was deleted or replaced for removal. It refuses nothing.
CREATE OR REPLACE FUNCTION discard_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO discarded_files (workspace_id, key) VALUES (OLD.workspace_id, OLD.key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON hrm_documents FOR EACH ROW EXECUTE FUNCTION discard_file();
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON employee_documents FOR EACH ROW EXECUTE FUNCTION discard_file();
CREATE OR REPLACE TRIGGER discard_replaced_file AFTER UPDATE OF key ON hrm_documents FOR EACH ROW
  WHEN (OLD.key <> NEW.key) EXECUTE FUNCTION discard_file();
