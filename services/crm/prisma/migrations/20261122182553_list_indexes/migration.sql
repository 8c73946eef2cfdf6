-- Lists of those who see a part of the workspace: their own, by who made it.

-- CreateIndex
CREATE INDEX "meetings_workspace_id_created_by_idx" ON "meetings"("workspace_id", "created_by");

-- CreateIndex
CREATE INDEX "quotes_workspace_id_created_by_created_at_id_idx" ON "quotes"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_created_by_created_at_id_idx" ON "sales_orders"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "proposals_workspace_id_created_by_created_at_id_idx" ON "proposals"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- A word is looked for in all tasks and files of the workspace, before the record is looked at that the list is of.
CREATE INDEX "tasks_workspace_id_search_idx" ON "tasks" USING gin ("workspace_id", "search");
CREATE INDEX "files_workspace_id_search_idx" ON "files" USING gin ("workspace_id", "search");
