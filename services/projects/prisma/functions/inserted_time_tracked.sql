-- Adds inserted time to the tracked seconds of tasks and bugs. A statement that inserts many entries updates each task
-- once. time_tracked does the same for changed and deleted entries.
CREATE OR REPLACE FUNCTION inserted_time_tracked() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE work_items SET tracked_seconds = tracked_seconds + sums.seconds
  FROM (SELECT workspace_id, task_id, sum(duration_seconds)::int AS seconds FROM inserted WHERE duration_seconds > 0
    GROUP BY workspace_id, task_id) AS sums
  WHERE work_items.workspace_id = sums.workspace_id AND work_items.id = sums.task_id;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER inserted_time_tracked AFTER INSERT ON time_entries REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION inserted_time_tracked();
