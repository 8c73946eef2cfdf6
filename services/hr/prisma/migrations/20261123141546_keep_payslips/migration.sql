-- AlterTable
ALTER TABLE "payrolls" ADD COLUMN     "totals_sealed" TEXT;

-- AlterTable
ALTER TABLE "payroll_entries" ADD COLUMN     "calculated_at" TIMESTAMPTZ(3),
ADD COLUMN     "currency" CHAR(3),
ADD COLUMN     "pay_date" DATE;

-- CreateTable
CREATE TABLE "project_times" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "local_date" DATE NOT NULL,
    "seconds" INTEGER NOT NULL,
    "approved" BOOLEAN NOT NULL,
    "as_of" INTEGER NOT NULL,

    CONSTRAINT "project_times_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "project_times_workspace_id_user_id_local_date_idx" ON "project_times"("workspace_id", "user_id", "local_date");

-- CreateIndex
CREATE UNIQUE INDEX "project_times_workspace_id_id_key" ON "project_times"("workspace_id", "id");

-- The audit log says that the sums changed, and not to what.
SELECT suite_record('payrolls', 'sealed:totals_sealed');
-- A copy of what projects announces: confined, and not audited a second time.
SELECT suite_confine('project_times');
ALTER TABLE "project_times" ADD CONSTRAINT "project_times_seconds_check" CHECK ("seconds" >= 0);

-- The runs that are to be calculated, over all workspaces, and those of their payslips that wait.
CREATE INDEX "payrolls_processing_idx" ON "payrolls" ("run_at", "id") WHERE "status" = 'processing';
CREATE INDEX "payroll_entries_waiting_idx" ON "payroll_entries" ("workspace_id", "payroll_id", "employee_id") WHERE "calculated_at" IS NULL;
