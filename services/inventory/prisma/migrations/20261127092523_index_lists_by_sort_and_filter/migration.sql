-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "products_workspace_id_sku_id_idx" ON "products"("workspace_id", "sku", "id");

-- CreateIndex
CREATE INDEX "products_workspace_id_sale_price_id_idx" ON "products"("workspace_id", "sale_price", "id");

-- CreateIndex
CREATE INDEX "stock_levels_workspace_id_value_id_idx" ON "stock_levels"("workspace_id", "value", "id");

-- CreateIndex
CREATE INDEX "transfers_workspace_id_date_id_idx" ON "transfers"("workspace_id", "date", "id");

-- CreateIndex
CREATE INDEX "transfers_workspace_id_number_id_idx" ON "transfers"("workspace_id", "number", "id");

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_business_date_id_idx" ON "pos_orders"("workspace_id", "business_date", "id");

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_total_id_idx" ON "pos_orders"("workspace_id", "total", "id");

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_number_id_idx" ON "pos_orders"("workspace_id", "number", "id");

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_customer_id_id_idx" ON "pos_orders"("workspace_id", "customer_id", "id");
