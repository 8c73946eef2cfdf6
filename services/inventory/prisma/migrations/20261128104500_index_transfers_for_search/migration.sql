-- Transfers are searched by number and note. An index on the expression rewrites no filled table, unlike a stored column.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "transfers_workspace_id_search_idx" ON "transfers" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("note", '')));
