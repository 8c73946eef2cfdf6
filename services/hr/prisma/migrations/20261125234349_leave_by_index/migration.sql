-- CreateIndex
CREATE INDEX "leave_settlements_workspace_id_settled_at_idx" ON "leave_settlements"("workspace_id", "settled_at");

-- Time has nothing to do about an employment that has ended.
DELETE FROM "leave_settlements" AS settled USING "employments", "employees"
WHERE (employments.workspace_id, employments.id) = (settled.workspace_id, settled.employment_id)
  AND (employees.workspace_id, employees.id) = (employments.workspace_id, employments.employee_id)
  AND (employees.status = 'left' OR employees.joining_date <> employments.joining_date);
