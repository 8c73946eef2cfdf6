-- Copies the new group of a stage to its cards. Rejects nothing. In SQL because lists, counts and reports read the
-- group from the cards, and no change of a stage may omit the update.
CREATE OR REPLACE FUNCTION stage_group_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE work_items SET "group" = NEW."group" WHERE workspace_id = NEW.workspace_id AND stage_id = NEW.id;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER stage_group_changed AFTER UPDATE OF "group" ON stages FOR EACH ROW
  WHEN (OLD."group" <> NEW."group") EXECUTE FUNCTION stage_group_changed();
