-- Has the leave of a new employment settled soon: time looks at those only that are due, and never at everybody. It refuses
-- nothing. It is SQL because employments begin in many ways, and one that was forgotten would never be granted any leave.
CREATE OR REPLACE FUNCTION await_leave() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO leave_settlements (workspace_id, employment_id, due_on, settled_at)
  VALUES (NEW.workspace_id, NEW.id, '-infinity', '-infinity') ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE OR REPLACE TRIGGER await_leave AFTER INSERT ON employments FOR EACH ROW EXECUTE FUNCTION await_leave();

-- Whoever began before there was a trigger, and was not looked at yet.
INSERT INTO leave_settlements (workspace_id, employment_id, due_on, settled_at)
SELECT employments.workspace_id, employments.id, '-infinity', '-infinity'
FROM employments JOIN employees ON (employees.workspace_id, employees.id) = (employments.workspace_id, employments.employee_id)
  AND employees.joining_date = employments.joining_date AND employees.status <> 'left'
ON CONFLICT DO NOTHING;
