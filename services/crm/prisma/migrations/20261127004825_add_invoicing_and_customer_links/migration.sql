-- AlterTable
ALTER TABLE "sales_orders" ADD COLUMN     "invoicing_sequence" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "sales_lines" ADD COLUMN     "held_qty" DECIMAL(18,6) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "customer_links" (
    "customer_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID,
    "known_version" INTEGER NOT NULL,

    CONSTRAINT "customer_links_pkey" PRIMARY KEY ("workspace_id","customer_id")
);

-- CreateIndex
CREATE INDEX "customer_links_workspace_id_user_id_idx" ON "customer_links"("workspace_id", "user_id");

-- Workspace, audit and version
SELECT suite_member('customer_links');

-- Orders that are under way keep what is reserved for them.
UPDATE "sales_lines" SET "held_qty" = "reserved_qty" WHERE "reserved_qty" > 0;

-- The portal user that each customer had on the proposal that was changed last; events of finance replace it.
INSERT INTO "customer_links" ("workspace_id", "customer_id", "user_id", "known_version")
SELECT DISTINCT ON ("workspace_id", "customer_id") "workspace_id", "customer_id", "customer_user_id", 0
FROM "proposals" ORDER BY "workspace_id", "customer_id", "updated_at" DESC;

ALTER TABLE "proposals" DROP COLUMN "customer_user_id" CASCADE;

-- Invoices that were recorded by product count for the first line of their product.
UPDATE "order_invoices" AS invoice SET "lines" = (
  SELECT coalesce(jsonb_agg(line || jsonb_build_object('source_line_id', coalesce((
    SELECT sold."id"::text FROM "sales_lines" AS sold
    WHERE sold."workspace_id" = invoice."workspace_id" AND sold."sales_order_id" = invoice."sales_order_id"
      AND sold."product_id" IS NOT DISTINCT FROM nullif(line ->> 'product_id', '')::uuid
    ORDER BY sold."position" LIMIT 1), ''))), '[]')
  FROM jsonb_array_elements(invoice."lines") AS line);

-- More than was ordered can be invoiced, if the caller allows it.
ALTER TABLE "sales_lines" DROP CONSTRAINT "sales_lines_progress_check";
ALTER TABLE "sales_lines" ADD CONSTRAINT "sales_lines_progress_check"
  CHECK ("qty_delivered" >= 0 AND "qty_invoiced" >= 0 AND "held_qty" >= 0 AND "reserved_qty" BETWEEN 0 AND "qty");
