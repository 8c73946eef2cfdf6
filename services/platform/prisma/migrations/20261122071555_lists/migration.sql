-- Lists: full-text search wherever there is a name, and an index for what changed since.

-- AlterTable
ALTER TABLE "roles" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "api_keys" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("prefix", '') || ' ' || coalesce("last4", ''))) STORED;

-- CreateIndex
CREATE INDEX "users_workspace_id_updated_at_id_idx" ON "users"("workspace_id", "updated_at", "id");
