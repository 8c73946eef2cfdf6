-- CreateIndex
CREATE INDEX "projects_workspace_id_visibility_id_idx" ON "projects"("workspace_id", "visibility", "id");

-- CreateIndex
CREATE INDEX "project_clients_workspace_id_invited_at_id_idx" ON "project_clients"("workspace_id", "invited_at" DESC, "id" DESC);
