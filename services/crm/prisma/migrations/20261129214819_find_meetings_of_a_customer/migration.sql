-- CreateIndex
CREATE INDEX "meetings_workspace_id_customer_id_idx" ON "meetings"("workspace_id", "customer_id");
