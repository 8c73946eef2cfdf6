-- Received e-mails are searched by sender and subject. An index on the expression rewrites no filled table, unlike a stored column.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "mail_messages_workspace_id_search_idx" ON "mail_messages" USING gin ("workspace_id", suite_document(coalesce("from_address", '') || ' ' || coalesce("subject", '')));
