-- Lists of users of several kinds sort by name. Without an index, each page reads and sorts all users of the workspace.

-- CreateIndex
CREATE INDEX "users_workspace_id_name_id_idx" ON "users"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_health_id_idx" ON "projects"("workspace_id", "health", "id");
