-- AlterTable
ALTER TABLE "warnings" ADD COLUMN     "closed_at" TIMESTAMPTZ(3),
ADD COLUMN     "remark" TEXT;

-- AlterTable
ALTER TABLE "complaints" ADD COLUMN     "decided_at" TIMESTAMPTZ(3),
ADD COLUMN     "decided_by" UUID;

-- CreateIndex
CREATE INDEX "awards_workspace_id_date_id_idx" ON "awards"("workspace_id", "date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "promotions_workspace_id_effective_date_id_idx" ON "promotions"("workspace_id", "effective_date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "employee_transfers_workspace_id_effective_date_id_idx" ON "employee_transfers"("workspace_id", "effective_date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "resignations_workspace_id_last_day_id_idx" ON "resignations"("workspace_id", "last_day" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "terminations_workspace_id_date_id_idx" ON "terminations"("workspace_id", "date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "warnings_workspace_id_date_id_idx" ON "warnings"("workspace_id", "date" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "complaints_workspace_id_date_id_idx" ON "complaints"("workspace_id", "date" DESC, "id" DESC);
