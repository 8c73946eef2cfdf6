-- Records the stored object of a deleted file for removal (trigger discard_file of files). It refuses nothing. It is SQL
-- because files also go by cascade, with their lead or deal, and no code sees those deletions.
CREATE OR REPLACE FUNCTION discard_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO discarded_files (workspace_id, key) VALUES (OLD.workspace_id, OLD.key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
