-- DropIndex
DROP INDEX "sales_invoices_external_id_key";

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_external_id_id_idx" ON "sales_invoices"("workspace_id", "external_id", "id");

-- Indexes that Prisma cannot express.

-- The external ID of a cancelled invoice can be used again, by the corrected invoice.
CREATE UNIQUE INDEX "sales_invoices_external_id_key" ON "sales_invoices" ("workspace_id", "external_id")
  WHERE "status" <> 'cancelled';
