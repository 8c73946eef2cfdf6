-- CreateIndex
CREATE INDEX "activities_workspace_id_at_id_idx" ON "activities"("workspace_id", "at" DESC, "id" DESC);
