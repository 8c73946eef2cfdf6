-- AlterTable
ALTER TABLE "employees" ADD COLUMN     "made_user" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "next_change_on" DATE;

-- The schedule that keeps dates looks for these: terms that change, people who join, and people who have left.
CREATE INDEX "employees_next_change_on_idx" ON "employees" ("workspace_id", "next_change_on") WHERE "next_change_on" IS NOT NULL;
CREATE INDEX "employees_joining_idx" ON "employees" ("workspace_id", "joining_date") WHERE "status" = 'onboarding';
CREATE INDEX "employees_exit_idx" ON "employees" ("workspace_id", "exit_date") WHERE "exit_date" IS NOT NULL AND "status" <> 'left';
-- Everybody below a manager is found by it.
CREATE INDEX "employee_history_managers_idx" ON "employee_history" ("workspace_id", "employee_id", "effective_from", "seq") WHERE "field" = 'manager_id';
