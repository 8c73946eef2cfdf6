-- CreateTable
CREATE TABLE "leave_days" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "application_id" UUID NOT NULL,
    "employee_id" UUID NOT NULL,
    "day" DATE NOT NULL,
    "days" DECIMAL(3,2) NOT NULL,

    CONSTRAINT "leave_days_pkey" PRIMARY KEY ("workspace_id","application_id","day")
);

-- CreateTable
CREATE TABLE "leave_settlements" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "employment_id" UUID NOT NULL,
    "due_on" DATE NOT NULL,
    "settled_at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "leave_settlements_pkey" PRIMARY KEY ("workspace_id","employment_id")
);

-- CreateIndex
CREATE INDEX "leave_days_workspace_id_employee_id_day_idx" ON "leave_days"("workspace_id", "employee_id", "day");

-- CreateIndex
CREATE INDEX "leave_settlements_workspace_id_due_on_idx" ON "leave_settlements"("workspace_id", "due_on");

-- DropIndex
DROP INDEX "leave_ledger_workspace_id_employment_id_idx";

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_employment_id_leave_type_id_creat_idx" ON "leave_ledger"("workspace_id", "employment_id", "leave_type_id", "created_at");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_created_at_id_idx" ON "leave_ledger"("workspace_id", "created_at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "leave_days" ADD CONSTRAINT "leave_days_workspace_id_application_id_fkey" FOREIGN KEY ("workspace_id", "application_id") REFERENCES "leave_applications"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_days" ADD CONSTRAINT "leave_days_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_settlements" ADD CONSTRAINT "leave_settlements_workspace_id_employment_id_fkey" FOREIGN KEY ("workspace_id", "employment_id") REFERENCES "employments"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "leave_days" ADD CONSTRAINT "leave_days_days_check" CHECK ("days" > 0 AND "days" <= 1);

-- Confined, and not audited: the days follow from the application, and settlements from the ledger.
SELECT suite_confine('leave_days'), suite_confine('leave_settlements');
