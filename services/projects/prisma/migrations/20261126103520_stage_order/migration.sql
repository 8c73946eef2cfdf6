-- DropIndex
DROP INDEX "work_items_workspace_id_stage_id_rank_idx";

-- CreateIndex
CREATE INDEX "work_items_workspace_id_stage_id_rank_id_idx" ON "work_items"("workspace_id", "stage_id", "rank", "id");
