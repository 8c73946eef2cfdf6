-- Lists sort and filter by these columns. Without an index, each page reads all rows of the workspace.

-- CreateIndex
CREATE INDEX "users_workspace_id_name_id_idx" ON "users"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_employee_id_id_idx" ON "users"("workspace_id", "employee_id", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_customer_id_id_idx" ON "users"("workspace_id", "customer_id", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_vendor_id_id_idx" ON "users"("workspace_id", "vendor_id", "id");

-- CreateIndex
CREATE INDEX "user_log_workspace_id_subject_id_id_idx" ON "user_log"("workspace_id", "subject_id", "id");
