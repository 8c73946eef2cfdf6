-- Sums, by the quarter of an hour, the tasks that came into the scope of a project and those that were completed in it. It
-- refuses nothing. It is SQL because steps are written one by one and by the set, in many places: none may forget it. Days of
-- any zone begin on a quarter of an hour, so that a burn-up reads a few rows a day, however many tasks move. Whatever counts here
-- counts in the project's own row, too, which is locked for it: nobody waits here.
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
