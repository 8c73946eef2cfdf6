-- Lists filter by these dates and sort by these columns. Without an index, each page reads all rows of the workspace.

-- DropIndex
DROP INDEX "payrolls_workspace_id_period_start_idx";

-- CreateIndex
CREATE INDEX "employees_workspace_id_exit_date_id_idx" ON "employees"("workspace_id", "exit_date", "id");

-- CreateIndex
CREATE INDEX "resignations_workspace_id_notice_date_id_idx" ON "resignations"("workspace_id", "notice_date", "id");

-- CreateIndex
CREATE INDEX "terminations_workspace_id_notice_date_id_idx" ON "terminations"("workspace_id", "notice_date", "id");

-- CreateIndex
CREATE INDEX "warnings_workspace_id_expires_on_id_idx" ON "warnings"("workspace_id", "expires_on", "id");

-- CreateIndex
CREATE INDEX "announcements_workspace_id_end_id_idx" ON "announcements"("workspace_id", "end", "id");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_end_id_idx" ON "hrm_documents"("workspace_id", "end", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_published_at_id_idx" ON "events"("workspace_id", "published_at", "id");

-- CreateIndex
CREATE INDEX "leave_days_workspace_id_day_idx" ON "leave_days"("workspace_id", "day");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_period_start_id_idx" ON "payrolls"("workspace_id", "period_start", "id");

-- CreateIndex
CREATE INDEX "payrolls_workspace_id_period_end_id_idx" ON "payrolls"("workspace_id", "period_end", "id");
