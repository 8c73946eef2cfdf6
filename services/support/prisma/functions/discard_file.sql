-- Records the stored object of a deleted file for removal. It refuses nothing. It is SQL because files also go by cascade,
-- with what they belong to, and no code sees those deletions.
CREATE OR REPLACE FUNCTION discard_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO discarded_files (workspace_id, key) VALUES (OLD.workspace_id, OLD.key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON files FOR EACH ROW EXECUTE FUNCTION discard_file();
CREATE OR REPLACE TRIGGER discard_file AFTER DELETE ON note_files FOR EACH ROW EXECUTE FUNCTION discard_file();
