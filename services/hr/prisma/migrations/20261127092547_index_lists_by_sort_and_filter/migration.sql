-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "change_requests_workspace_id_updated_at_id_idx" ON "change_requests"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "awards_workspace_id_updated_at_id_idx" ON "awards"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "promotions_workspace_id_updated_at_id_idx" ON "promotions"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_updated_at_id_idx" ON "employee_transfers"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "resignations_workspace_id_updated_at_id_idx" ON "resignations"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "terminations_workspace_id_updated_at_id_idx" ON "terminations"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "warnings_workspace_id_updated_at_id_idx" ON "warnings"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "complaints_workspace_id_updated_at_id_idx" ON "complaints"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "announcements_workspace_id_title_id_idx" ON "announcements"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "announcements_workspace_id_start_id_idx" ON "announcements"("workspace_id", "start", "id");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_title_id_idx" ON "hrm_documents"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_start_id_idx" ON "hrm_documents"("workspace_id", "start", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_title_id_idx" ON "events"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_end_id_idx" ON "events"("workspace_id", "end", "id");

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_due_on_id_idx" ON "acknowledgments"("workspace_id", "due_on", "id");

-- CreateIndex
CREATE INDEX "attendances_workspace_id_updated_at_id_idx" ON "attendances"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_updated_at_id_idx" ON "leave_applications"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "leave_applications_workspace_id_to_id_idx" ON "leave_applications"("workspace_id", "to", "id");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_valid_from_id_idx" ON "leave_ledger"("workspace_id", "valid_from", "id");

-- CreateIndex
CREATE INDEX "leave_ledger_workspace_id_day_id_idx" ON "leave_ledger"("workspace_id", "day", "id");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_updated_at_id_idx" ON "payrolls"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_pay_date_id_idx" ON "payrolls"("workspace_id", "pay_date", "id");

-- CreateIndex
CREATE INDEX "payroll_entries_workspace_id_updated_at_id_idx" ON "payroll_entries"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "payroll_entries_workspace_id_period_start_id_idx" ON "payroll_entries"("workspace_id", "period_start", "id");

-- CreateIndex
CREATE INDEX "employee_loans_workspace_id_updated_at_id_idx" ON "employee_loans"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "employee_loans_workspace_id_first_period_id_idx" ON "employee_loans"("workspace_id", "first_period", "id");

-- CreateIndex
CREATE INDEX "announcements_workspace_id_published_at_id_idx" ON "announcements"("workspace_id", "published_at", "id");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_published_at_id_idx" ON "hrm_documents"("workspace_id", "published_at", "id");

-- CreateIndex
CREATE INDEX "sensitive_accesses_workspace_id_by_id_idx" ON "sensitive_accesses"("workspace_id", "by", "id");
