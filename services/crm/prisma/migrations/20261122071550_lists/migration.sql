-- Lists: full-text search wherever there is a name, and an index for what changed since.

-- AlterTable
ALTER TABLE "users" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("email", '') || ' ' || coalesce("phone", ''))) STORED,
ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- AlterTable
ALTER TABLE "pipelines" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "lead_stages" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "deal_stages" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "labels" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "sources" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "meetings" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("customer_name", '') || ' ' || coalesce("location", ''))) STORED;

-- CreateIndex
CREATE INDEX "lead_products_workspace_id_product_id_idx" ON "lead_products"("workspace_id", "product_id");

-- CreateIndex
CREATE INDEX "deal_products_workspace_id_product_id_idx" ON "deal_products"("workspace_id", "product_id");

-- CreateIndex
CREATE INDEX "users_workspace_id_updated_at_id_idx" ON "users"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_updated_at_id_idx" ON "meetings"("workspace_id", "updated_at", "id");

CREATE INDEX "meetings_workspace_id_search_idx" ON "meetings" USING gin ("workspace_id", "search");

-- What crm knows of a user is a copy: when it changed here is what a list of colleagues is asked for.
CREATE FUNCTION users_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  NEW.updated_at := clock_timestamp();
  RETURN NEW;
END
$$;
CREATE TRIGGER users_changed BEFORE UPDATE ON "users" FOR EACH ROW EXECUTE FUNCTION users_changed();
