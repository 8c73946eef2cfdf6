-- Lists: full-text search wherever there is a name, and an index for what changed since.

-- AlterTable
ALTER TABLE "account_types" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("code", '') || ' ' || coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "gl_accounts" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("code", '') || ' ' || coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "bank_accounts" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("bank_name", '') || ' ' || coalesce("account_name", '') || ' ' || coalesce("holder", ''))) STORED;

-- AlterTable
ALTER TABLE "revenue_categories" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "expense_categories" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "commission_plans" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "agents" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("code", '') || ' ' || coalesce("name", ''))) STORED;

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_updated_at_id_idx" ON "bank_transactions"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_updated_at_id_idx" ON "revenues"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_updated_at_id_idx" ON "expenses"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "payments_workspace_id_updated_at_id_idx" ON "payments"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_updated_at_id_idx" ON "sales_returns"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_updated_at_id_idx" ON "purchase_returns"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_updated_at_id_idx" ON "notes"("workspace_id", "updated_at", "id");
