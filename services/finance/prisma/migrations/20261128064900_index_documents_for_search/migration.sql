-- Documents are searched by number, reference and text. An index on the expression rewrites no filled table, unlike a stored column.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "sales_invoices_workspace_id_search_idx" ON "sales_invoices" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("reference", '')));
CREATE INDEX "purchase_invoices_workspace_id_search_idx" ON "purchase_invoices" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("reference", '') || ' ' || coalesce("vendor_reference", '')));
CREATE INDEX "payments_workspace_id_search_idx" ON "payments" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("reference", '')));
CREATE INDEX "revenues_workspace_id_search_idx" ON "revenues" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("reference", '') || ' ' || coalesce("description", '')));
CREATE INDEX "expenses_workspace_id_search_idx" ON "expenses" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("reference", '') || ' ' || coalesce("description", '')));
CREATE INDEX "sales_returns_workspace_id_search_idx" ON "sales_returns" USING gin ("workspace_id", suite_document(coalesce("number", '')));
CREATE INDEX "purchase_returns_workspace_id_search_idx" ON "purchase_returns" USING gin ("workspace_id", suite_document(coalesce("number", '')));
CREATE INDEX "notes_workspace_id_search_idx" ON "notes" USING gin ("workspace_id", suite_document(coalesce("number", '')));
CREATE INDEX "bank_transactions_workspace_id_search_idx" ON "bank_transactions" USING gin ("workspace_id", suite_document(coalesce("counterparty", '') || ' ' || coalesce("reference", '')));
CREATE INDEX "bank_transfers_workspace_id_search_idx" ON "bank_transfers" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("reference", '')));
CREATE INDEX "journal_entries_workspace_id_search_idx" ON "journal_entries" USING gin ("workspace_id", suite_document(coalesce("number", '') || ' ' || coalesce("narration", '')));
