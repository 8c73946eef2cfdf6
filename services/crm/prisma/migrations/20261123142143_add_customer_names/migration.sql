-- AlterTable
ALTER TABLE "deals" ADD COLUMN     "customer_name" TEXT;

-- CreateIndex
CREATE INDEX "deals_workspace_id_customer_id_idx" ON "deals"("workspace_id", "customer_id");
