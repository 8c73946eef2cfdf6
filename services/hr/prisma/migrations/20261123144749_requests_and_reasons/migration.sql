-- AlterTable
ALTER TABLE "employee_history" ADD COLUMN     "reason" TEXT;

-- AlterTable
ALTER TABLE "employees" ADD COLUMN     "erasure_basis" TEXT;

-- AlterTable
ALTER TABLE "employee_loans" ADD COLUMN     "reason" TEXT;

-- CreateTable
CREATE TABLE "change_requests" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employee_id" UUID NOT NULL,
    "field" TEXT NOT NULL,
    "value_sealed" TEXT,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "decided_by" UUID,
    "decided_at" TIMESTAMPTZ(3),
    "reason" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "change_requests_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "change_requests_workspace_id_created_at_id_idx" ON "change_requests"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "change_requests_workspace_id_employee_id_field_idx" ON "change_requests"("workspace_id", "employee_id", "field");

-- CreateIndex
CREATE UNIQUE INDEX "change_requests_workspace_id_id_key" ON "change_requests"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "change_requests" ADD CONSTRAINT "change_requests_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Workspace, audit and version
SELECT suite_record('change_requests', 'sealed:value_sealed');
ALTER TABLE "change_requests"
  ADD CONSTRAINT "change_requests_field_check" CHECK ("field" IN ('bank', 'national_id', 'tax_id')),
  ADD CONSTRAINT "change_requests_status_check" CHECK ("status" IN ('pending', 'confirmed', 'rejected')),
  ADD CONSTRAINT "change_requests_value_check" CHECK ("status" = 'pending' OR "value_sealed" IS NULL);
-- Of one thing somebody asks for one change at a time.
CREATE UNIQUE INDEX "change_requests_pending_key" ON "change_requests" ("workspace_id", "employee_id", "field") WHERE "status" = 'pending';
-- The history of an employee tells his states, too, and why.
ALTER TABLE "employee_history"
  DROP CONSTRAINT "employee_history_field_check",
  ADD CONSTRAINT "employee_history_field_check" CHECK ("field" IN ('branch_id', 'department_id', 'designation_id', 'manager_id',
    'shift_id', 'calendar_id', 'employment_type', 'salary', 'status'));
