-- Sums, per quarter of an hour, the tasks that were added to the scope of a project and the tasks that were completed.
-- Rejects nothing. In SQL because stage changes are written one by one and as sets, in many places, and none of them
-- may omit the sum. Days begin on a quarter of an hour in every time zone. Therefore a burn-up chart reads a few rows
-- per day, however many tasks move. The same changes update the project's row, which is already locked. Therefore this
-- function causes no additional waiting.
CREATE OR REPLACE FUNCTION scope_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO scope_changes AS sums (workspace_id, project_id, at, scope, completed)
  SELECT step.workspace_id, step.project_id, date_bin('15 minutes', step.at, 'epoch'::timestamptz), sum(delta.scope), sum(delta.completed)
  FROM steps AS step
  JOIN stages ON stages.workspace_id = step.workspace_id AND stages.id = coalesce(step.to_stage_id, step.from_stage_id)
    AND stages.kind = 'task'
  CROSS JOIN LATERAL (SELECT
    coalesce(step.to_group <> 'cancelled', FALSE)::int - coalesce(step.from_group <> 'cancelled', FALSE)::int AS scope,
    coalesce(step.to_group = 'completed', FALSE)::int - coalesce(step.from_group = 'completed', FALSE)::int AS completed
  ) AS delta
  WHERE delta.scope <> 0 OR delta.completed <> 0
  GROUP BY 1, 2, 3 ORDER BY 1, 2, 3
  ON CONFLICT (workspace_id, project_id, at) DO UPDATE
    SET scope = sums.scope + EXCLUDED.scope, completed = sums.completed + EXCLUDED.completed;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER scope_changed AFTER INSERT ON stage_changes REFERENCING NEW TABLE AS steps
  FOR EACH STATEMENT EXECUTE FUNCTION scope_changed();
