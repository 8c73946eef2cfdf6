-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "mail_messages_workspace_id_at_id_idx" ON "mail_messages"("workspace_id", "at", "id");

-- CreateIndex
CREATE INDEX "articles_workspace_id_updated_at_id_idx" ON "articles"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "articles_workspace_id_published_at_id_idx" ON "articles"("workspace_id", "published_at", "id");

-- CreateIndex
CREATE INDEX "articles_workspace_id_title_id_idx" ON "articles"("workspace_id", "title", "id");

-- CreateIndex
CREATE INDEX "articles_workspace_id_author_id_id_idx" ON "articles"("workspace_id", "author_id", "id");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_priority_rank_id_idx" ON "tickets"("workspace_id", "priority_rank", "id");
