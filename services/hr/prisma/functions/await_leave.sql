-- Makes the leave settlement of a new employment due immediately. The schedule reads due settlements only, never all
-- employees. Rejects nothing. In SQL because employments are created in many places. An employment without a settlement
-- would never be granted leave.
CREATE OR REPLACE FUNCTION await_leave() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO leave_settlements (workspace_id, employment_id, due_on, settled_at)
  VALUES (NEW.workspace_id, NEW.id, '-infinity', '-infinity') ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER await_leave AFTER INSERT ON employments FOR EACH ROW EXECUTE FUNCTION await_leave();

-- Current employments from before the trigger that have no settlement yet.
INSERT INTO leave_settlements (workspace_id, employment_id, due_on, settled_at)
SELECT employments.workspace_id, employments.id, '-infinity', '-infinity'
FROM employments JOIN employees ON (employees.workspace_id, employees.id) = (employments.workspace_id, employments.employee_id)
  AND employees.joining_date = employments.joining_date AND employees.status <> 'left'
ON CONFLICT DO NOTHING;
