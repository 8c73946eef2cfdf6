-- Sums the inserted time of each user on each project. A statement that inserts many entries updates each sum once.
-- time_summed does the same for changed and deleted entries.
CREATE OR REPLACE FUNCTION inserted_time_summed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO member_time AS sums (workspace_id, project_id, user_id, tracked_seconds, billable_seconds, cost_seconds)
  SELECT workspace_id, project_id, user_id, sum(duration_seconds), coalesce(sum(duration_seconds) FILTER (WHERE billable), 0),
    sum(duration_seconds * coalesce(cost_rate, 0))
  FROM inserted WHERE duration_seconds IS NOT NULL GROUP BY workspace_id, project_id, user_id ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, project_id, user_id) DO UPDATE SET
    tracked_seconds = sums.tracked_seconds + EXCLUDED.tracked_seconds,
    billable_seconds = sums.billable_seconds + EXCLUDED.billable_seconds,
    cost_seconds = sums.cost_seconds + EXCLUDED.cost_seconds;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER inserted_time_summed AFTER INSERT ON time_entries REFERENCING NEW TABLE AS inserted
  FOR EACH STATEMENT EXECUTE FUNCTION inserted_time_summed();
