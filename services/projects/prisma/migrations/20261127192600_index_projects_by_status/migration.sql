-- Lists sort projects by status and ID. Without this index, each page reads and sorts all projects of a status.

-- CreateIndex
CREATE INDEX "projects_workspace_id_status_id_idx" ON "projects"("workspace_id", "status", "id");
