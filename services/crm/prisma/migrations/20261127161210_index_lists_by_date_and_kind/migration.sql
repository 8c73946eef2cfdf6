-- Lists filter by these dates and sort by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "users_workspace_id_name_id_idx" ON "users"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "leads_workspace_id_score_id_idx" ON "leads"("workspace_id", "score", "id");

-- CreateIndex
CREATE INDEX "leads_workspace_id_converted_at_id_idx" ON "leads"("workspace_id", "converted_at", "id");

-- CreateIndex
CREATE INDEX "deals_workspace_id_closed_at_id_idx" ON "deals"("workspace_id", "closed_at", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_closed_at_id_idx" ON "opportunities"("workspace_id", "closed_at", "id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_end_id_idx" ON "meetings"("workspace_id", "end", "id");
