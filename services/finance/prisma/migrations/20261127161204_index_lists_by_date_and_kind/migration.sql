-- Lists filter by these dates and sort by these columns. Without an index, each page reads all rows of the workspace. Payments and notes are
-- divided into two lists each, so their indexes begin with the kind: sorting one list would read the rows of the other.

-- DropIndex
DROP INDEX "payments_workspace_id_created_at_id_idx";

-- DropIndex
DROP INDEX "payments_workspace_id_updated_at_id_idx";

-- DropIndex
DROP INDEX "payments_workspace_id_date_id_idx";

-- DropIndex
DROP INDEX "payments_workspace_id_amount_id_idx";

-- DropIndex
DROP INDEX "notes_workspace_id_created_at_id_idx";

-- DropIndex
DROP INDEX "notes_workspace_id_updated_at_id_idx";

-- DropIndex
DROP INDEX "notes_workspace_id_date_id_idx";

-- DropIndex
DROP INDEX "notes_workspace_id_total_id_idx";

-- CreateIndex
CREATE INDEX "customers_workspace_id_active_name_id_idx" ON "customers"("workspace_id", "active", "name", "id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_active_name_id_idx" ON "vendors"("workspace_id", "active", "name", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_posted_at_id_idx" ON "revenues"("workspace_id", "posted_at", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_posted_at_id_idx" ON "expenses"("workspace_id", "posted_at", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_kind_created_at_id_idx" ON "payments"("workspace_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "payments_workspace_id_kind_updated_at_id_idx" ON "payments"("workspace_id", "kind", "updated_at", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_kind_date_id_idx" ON "payments"("workspace_id", "kind", "date", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_kind_amount_id_idx" ON "payments"("workspace_id", "kind", "amount", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_kind_number_id_idx" ON "payments"("workspace_id", "kind", "number", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_posted_at_id_idx" ON "sales_invoices"("workspace_id", "posted_at", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_posted_at_id_idx" ON "purchase_invoices"("workspace_id", "posted_at", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_received_date_id_idx" ON "purchase_invoices"("workspace_id", "received_date", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_kind_created_at_id_idx" ON "notes"("workspace_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "notes_workspace_id_kind_updated_at_id_idx" ON "notes"("workspace_id", "kind", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_kind_date_id_idx" ON "notes"("workspace_id", "kind", "date", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_kind_total_id_idx" ON "notes"("workspace_id", "kind", "total", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_kind_number_id_idx" ON "notes"("workspace_id", "kind", "number", "id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_approved_at_id_idx" ON "commission_lines"("workspace_id", "approved_at", "id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_paid_at_id_idx" ON "commission_lines"("workspace_id", "paid_at", "id");
