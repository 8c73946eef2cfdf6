-- The till sales of one cashier, or of a team.
-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_cashier_id_created_at_id_idx" ON "pos_orders"("workspace_id", "cashier_id", "created_at" DESC, "id" DESC);
