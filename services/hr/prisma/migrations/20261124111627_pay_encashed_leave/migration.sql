-- CreateTable
CREATE TABLE "payslip_leave_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "entry_id" UUID NOT NULL,
    "days" DECIMAL(7,2) NOT NULL,

    CONSTRAINT "payslip_leave_lines_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "payslip_leave_lines_workspace_id_entry_id_idx" ON "payslip_leave_lines"("workspace_id", "entry_id");

-- CreateIndex
CREATE UNIQUE INDEX "payslip_leave_lines_workspace_id_id_key" ON "payslip_leave_lines"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "payslip_leave_lines" ADD CONSTRAINT "payslip_leave_lines_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "leave_ledger"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "payslip_leave_lines" ADD CONSTRAINT "payslip_leave_lines_workspace_id_entry_id_fkey" FOREIGN KEY ("workspace_id", "entry_id") REFERENCES "payroll_entries"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Workspace, audit and version
SELECT suite_member('payslip_leave_lines');
ALTER TABLE "payslip_leave_lines" ADD CONSTRAINT "payslip_leave_lines_days_check" CHECK ("days" <> 0);

-- Of all lines of leave these few are settled with money; each run looks for those of its people.
CREATE INDEX "leave_ledger_encash_idx" ON "leave_ledger" ("workspace_id", "employee_id", "valid_from") WHERE "kind" = 'encash';
