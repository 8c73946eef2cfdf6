-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "leads_workspace_id_phone_id_idx" ON "leads"("workspace_id", "phone", "id");

-- CreateIndex
CREATE INDEX "leads_workspace_id_company_id_idx" ON "leads"("workspace_id", "company", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_name_id_idx" ON "opportunities"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_amount_id_idx" ON "opportunities"("workspace_id", "amount", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_expected_close_id_idx" ON "opportunities"("workspace_id", "expected_close", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_probability_id_idx" ON "opportunities"("workspace_id", "probability", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_customer_id_id_idx" ON "opportunities"("workspace_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_source_id_id_idx" ON "opportunities"("workspace_id", "source_id", "id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_name_id_idx" ON "meetings"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "quotes_workspace_id_issue_date_id_idx" ON "quotes"("workspace_id", "issue_date", "id");

-- CreateIndex
CREATE INDEX "quotes_workspace_id_expiry_date_id_idx" ON "quotes"("workspace_id", "expiry_date", "id");

-- CreateIndex
CREATE INDEX "quotes_workspace_id_total_id_idx" ON "quotes"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "quotes_workspace_id_customer_name_id_idx" ON "quotes"("workspace_id", "customer_name", "id");

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_order_date_id_idx" ON "sales_orders"("workspace_id", "order_date", "id");

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_delivery_date_id_idx" ON "sales_orders"("workspace_id", "delivery_date", "id");

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_total_id_idx" ON "sales_orders"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_customer_name_id_idx" ON "sales_orders"("workspace_id", "customer_name", "id");

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_warehouse_id_id_idx" ON "sales_orders"("workspace_id", "warehouse_id", "id");

-- CreateIndex
CREATE INDEX "proposals_workspace_id_issue_date_id_idx" ON "proposals"("workspace_id", "issue_date", "id");

-- CreateIndex
CREATE INDEX "proposals_workspace_id_valid_until_id_idx" ON "proposals"("workspace_id", "valid_until", "id");

-- CreateIndex
CREATE INDEX "proposals_workspace_id_total_id_idx" ON "proposals"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "proposals_workspace_id_customer_name_id_idx" ON "proposals"("workspace_id", "customer_name", "id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_parent_id_id_idx" ON "meetings"("workspace_id", "parent_id", "id");

-- Read in both directions; leads without a value are read separately.
DROP INDEX "leads_expected_value_idx";
CREATE INDEX "leads_workspace_id_expected_value_id_idx" ON "leads"("workspace_id", "expected_value", "id");
