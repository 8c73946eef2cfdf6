-- Updates the tracked seconds of a task or a bug. Rejects nothing. In SQL because commands, consumers and schedules
-- write entries, and moving a task moves its entries by cascade. None of them may omit the update.
CREATE OR REPLACE FUNCTION time_tracked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND NEW.task_id IS NOT DISTINCT FROM OLD.task_id THEN
    UPDATE work_items SET tracked_seconds = tracked_seconds + coalesce(NEW.duration_seconds, 0) - coalesce(OLD.duration_seconds, 0)
    WHERE id = NEW.task_id AND NEW.duration_seconds IS DISTINCT FROM OLD.duration_seconds;
    RETURN NULL;
  END IF;
  IF OLD.duration_seconds > 0 THEN
    UPDATE work_items SET tracked_seconds = tracked_seconds - OLD.duration_seconds WHERE id = OLD.task_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.duration_seconds > 0 THEN
    UPDATE work_items SET tracked_seconds = tracked_seconds + NEW.duration_seconds WHERE id = NEW.task_id;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER time_tracked AFTER DELETE OR UPDATE OF task_id, duration_seconds ON time_entries
  FOR EACH ROW EXECUTE FUNCTION time_tracked();
