-- Lists of users filter by the time of verification. Without an index, such a filter reads all users of the workspace.

-- CreateIndex
CREATE INDEX "users_workspace_id_email_verified_at_id_idx" ON "users"("workspace_id", "email_verified_at", "id");
