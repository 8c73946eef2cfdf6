-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "journal_entries_workspace_id_number_id_idx" ON "journal_entries"("workspace_id", "number", "id");

-- CreateIndex
CREATE INDEX "journal_entries_workspace_id_source_id_id_idx" ON "journal_entries"("workspace_id", "source_id", "id");

-- CreateIndex
CREATE INDEX "journal_entries_workspace_id_created_by_id_idx" ON "journal_entries"("workspace_id", "created_by", "id");

-- CreateIndex
CREATE INDEX "customers_workspace_id_company_id_idx" ON "customers"("workspace_id", "company", "id");

-- CreateIndex
CREATE INDEX "customers_workspace_id_email_id_idx" ON "customers"("workspace_id", "email", "id");

-- CreateIndex
CREATE INDEX "customers_workspace_id_phone_id_idx" ON "customers"("workspace_id", "phone", "id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_company_id_idx" ON "vendors"("workspace_id", "company", "id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_email_id_idx" ON "vendors"("workspace_id", "email", "id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_phone_id_idx" ON "vendors"("workspace_id", "phone", "id");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_date_id_idx" ON "bank_transactions"("workspace_id", "date", "id");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_amount_id_idx" ON "bank_transactions"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_journal_id_id_idx" ON "bank_transactions"("workspace_id", "journal_id", "id");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_reference_id_idx" ON "bank_transactions"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_source_id_id_idx" ON "bank_transactions"("workspace_id", "source_id", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_updated_at_id_idx" ON "bank_transfers"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_date_id_idx" ON "bank_transfers"("workspace_id", "date", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_amount_id_idx" ON "bank_transfers"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_from_account_id_id_idx" ON "bank_transfers"("workspace_id", "from_account_id", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_to_account_id_id_idx" ON "bank_transfers"("workspace_id", "to_account_id", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_reference_id_idx" ON "bank_transfers"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_amount_id_idx" ON "revenues"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_category_id_id_idx" ON "revenues"("workspace_id", "category_id", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_bank_account_id_id_idx" ON "revenues"("workspace_id", "bank_account_id", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_reference_id_idx" ON "revenues"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_amount_id_idx" ON "expenses"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_category_id_id_idx" ON "expenses"("workspace_id", "category_id", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_bank_account_id_id_idx" ON "expenses"("workspace_id", "bank_account_id", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_reference_id_idx" ON "expenses"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_vendor_id_id_idx" ON "expenses"("workspace_id", "vendor_id", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_project_id_id_idx" ON "expenses"("workspace_id", "project_id", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_date_id_idx" ON "payments"("workspace_id", "date", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_amount_id_idx" ON "payments"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_bank_account_id_id_idx" ON "payments"("workspace_id", "bank_account_id", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_source_id_id_idx" ON "payments"("workspace_id", "source_id", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_reference_id_idx" ON "payments"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_invoice_date_id_idx" ON "sales_invoices"("workspace_id", "invoice_date", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_due_date_id_idx" ON "sales_invoices"("workspace_id", "due_date", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_total_id_idx" ON "sales_invoices"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_warehouse_id_id_idx" ON "sales_invoices"("workspace_id", "warehouse_id", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_reference_id_idx" ON "sales_invoices"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_proposal_id_id_idx" ON "sales_invoices"("workspace_id", "proposal_id", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_invoice_date_id_idx" ON "purchase_invoices"("workspace_id", "invoice_date", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_due_date_id_idx" ON "purchase_invoices"("workspace_id", "due_date", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_total_id_idx" ON "purchase_invoices"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_warehouse_id_id_idx" ON "purchase_invoices"("workspace_id", "warehouse_id", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_reference_id_idx" ON "purchase_invoices"("workspace_id", "reference", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_vendor_reference_id_idx" ON "purchase_invoices"("workspace_id", "vendor_reference", "id");

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_return_date_id_idx" ON "sales_returns"("workspace_id", "return_date", "id");

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_total_id_idx" ON "sales_returns"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_return_date_id_idx" ON "purchase_returns"("workspace_id", "return_date", "id");

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_total_id_idx" ON "purchase_returns"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_date_id_idx" ON "notes"("workspace_id", "date", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_total_id_idx" ON "notes"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_invoice_id_id_idx" ON "notes"("workspace_id", "invoice_id", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_sales_return_id_id_idx" ON "notes"("workspace_id", "sales_return_id", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_purchase_return_id_id_idx" ON "notes"("workspace_id", "purchase_return_id", "id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_updated_at_id_idx" ON "commission_lines"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_date_id_idx" ON "commission_lines"("workspace_id", "date", "id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_amount_id_idx" ON "commission_lines"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_customer_id_id_idx" ON "revenues"("workspace_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_approved_by_id_idx" ON "revenues"("workspace_id", "approved_by", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_approved_by_id_idx" ON "expenses"("workspace_id", "approved_by", "id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_bank_account_id_id_idx" ON "commission_lines"("workspace_id", "bank_account_id", "id");
