-- Lists of those who see a part of the books: by who made a record, by its customer or vendor, by the user of a customer.

-- CreateIndex
CREATE INDEX "journal_entries_workspace_id_created_at_id_idx" ON "journal_entries"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "customers_workspace_id_created_by_created_at_id_idx" ON "customers"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "customers_workspace_id_user_id_idx" ON "customers"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "customers_workspace_id_name_id_idx" ON "customers"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_created_by_created_at_id_idx" ON "vendors"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "vendors_workspace_id_user_id_idx" ON "vendors"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_name_id_idx" ON "vendors"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_created_by_created_at_id_idx" ON "revenues"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "expenses_workspace_id_created_by_created_at_id_idx" ON "expenses"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_workspace_id_customer_id_idx" ON "payments"("workspace_id", "customer_id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_vendor_id_idx" ON "payments"("workspace_id", "vendor_id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_created_by_idx" ON "sales_invoices"("workspace_id", "created_by");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_created_by_created_at_id_idx" ON "purchase_invoices"("workspace_id", "created_by", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_created_by_idx" ON "sales_returns"("workspace_id", "created_by");

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_customer_id_idx" ON "sales_returns"("workspace_id", "customer_id");

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_created_by_idx" ON "purchase_returns"("workspace_id", "created_by");

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_vendor_id_idx" ON "purchase_returns"("workspace_id", "vendor_id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_customer_id_idx" ON "notes"("workspace_id", "customer_id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_vendor_id_idx" ON "notes"("workspace_id", "vendor_id");

-- The invoices of agents; most have none.
CREATE INDEX "sales_invoices_agent_idx" ON "sales_invoices"("workspace_id", "agent_id") WHERE "agent_id" IS NOT NULL;

-- A word is looked for in one workspace, as everywhere else.
CREATE EXTENSION IF NOT EXISTS btree_gin;
DROP INDEX "customers_search_idx";
DROP INDEX "vendors_search_idx";
CREATE INDEX "customers_workspace_id_search_idx" ON "customers" USING gin ("workspace_id", "search");
CREATE INDEX "vendors_workspace_id_search_idx" ON "vendors" USING gin ("workspace_id", "search");
