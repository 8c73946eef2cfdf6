-- Sums the time of a user on a project. Rejects nothing. In SQL because commands, consumers and schedules write
-- entries, and moving a task moves its entries by cascade. None of them may omit the sum. There is one row per user,
-- and one transaction at a time writes a user's time. Therefore transactions of different users do not block each
-- other.
CREATE OR REPLACE FUNCTION time_summed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' AND (OLD.project_id, OLD.user_id, OLD.duration_seconds, OLD.billable, OLD.cost_rate)
    IS NOT DISTINCT FROM (NEW.project_id, NEW.user_id, NEW.duration_seconds, NEW.billable, NEW.cost_rate) THEN
    RETURN NULL;
  END IF;
  IF OLD.duration_seconds IS NOT NULL THEN
    UPDATE member_time SET tracked_seconds = tracked_seconds - OLD.duration_seconds,
      billable_seconds = billable_seconds - CASE WHEN OLD.billable THEN OLD.duration_seconds ELSE 0 END,
      cost_seconds = cost_seconds - OLD.duration_seconds * coalesce(OLD.cost_rate, 0)
    WHERE workspace_id = OLD.workspace_id AND project_id = OLD.project_id AND user_id = OLD.user_id;
  END IF;
  IF TG_OP <> 'DELETE' AND NEW.duration_seconds IS NOT NULL THEN
    INSERT INTO member_time AS sums (workspace_id, project_id, user_id, tracked_seconds, billable_seconds, cost_seconds)
    VALUES (NEW.workspace_id, NEW.project_id, NEW.user_id, NEW.duration_seconds,
      CASE WHEN NEW.billable THEN NEW.duration_seconds ELSE 0 END, NEW.duration_seconds * coalesce(NEW.cost_rate, 0))
    ON CONFLICT (workspace_id, project_id, user_id) DO UPDATE SET
      tracked_seconds = sums.tracked_seconds + EXCLUDED.tracked_seconds,
      billable_seconds = sums.billable_seconds + EXCLUDED.billable_seconds,
      cost_seconds = sums.cost_seconds + EXCLUDED.cost_seconds;
  END IF;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER time_summed AFTER DELETE OR UPDATE OF project_id, user_id, duration_seconds, billable, cost_rate ON time_entries
  FOR EACH ROW EXECUTE FUNCTION time_summed();
