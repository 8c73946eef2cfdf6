-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "milestones_workspace_id_updated_at_id_idx" ON "milestones"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "milestones_workspace_id_start_date_id_idx" ON "milestones"("workspace_id", "start_date", "id");

-- CreateIndex
CREATE INDEX "milestones_workspace_id_title_id_idx" ON "milestones"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "milestones_workspace_id_progress_id_idx" ON "milestones"("workspace_id", "progress", "id");

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_local_date_id_idx" ON "time_entries"("workspace_id", "local_date", "id");

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_duration_seconds_id_idx" ON "time_entries"("workspace_id", "duration_seconds", "id");

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_invoice_id_id_idx" ON "time_entries"("workspace_id", "invoice_id", "id");
