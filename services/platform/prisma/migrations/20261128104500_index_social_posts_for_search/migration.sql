-- Social posts are searched by their text. An index on the expression rewrites no filled table, unlike a stored column.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "social_posts_workspace_id_search_idx" ON "social_posts" USING gin ("workspace_id", suite_document(coalesce("text", '')));
