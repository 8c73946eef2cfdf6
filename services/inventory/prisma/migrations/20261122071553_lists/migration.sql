-- Lists: full-text search wherever there is a name, and an index for what changed since.

-- AlterTable
ALTER TABLE "categories" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "units" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("symbol", ''))) STORED;

-- AlterTable
ALTER TABLE "taxes" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "warehouses" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("code", '') || ' ' || coalesce("name", '') || ' ' || coalesce("city", ''))) STORED;

-- AlterTable
ALTER TABLE "pos_orders" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("number", '') || ' ' || coalesce("customer_name", '') || ' ' || coalesce("cashier_name", ''))) STORED;

CREATE INDEX "pos_orders_workspace_id_search_idx" ON "pos_orders" USING gin ("workspace_id", "search");
