-- AlterTable
ALTER TABLE "pos_orders" ADD COLUMN     "refunded_total" DECIMAL(19,4) NOT NULL DEFAULT 0;

-- CreateTable
CREATE TABLE "pos_refunds" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pos_order_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "number" TEXT NOT NULL,
    "business_date" DATE NOT NULL,
    "reason" TEXT,
    "net_total" DECIMAL(19,4) NOT NULL,
    "tax_total" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "cost" DECIMAL(19,4) NOT NULL,
    "restocked_cost" DECIMAL(19,4) NOT NULL,
    "taxes" JSONB NOT NULL,
    "payments" JSONB NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "pos_refunds_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pos_refund_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pos_refund_id" UUID NOT NULL,
    "pos_order_line_id" UUID NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "restock" BOOLEAN NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "tax" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "cost" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "pos_refund_lines_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "pos_refunds_workspace_id_id_key" ON "pos_refunds"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pos_refunds_workspace_id_pos_order_id_position_key" ON "pos_refunds"("workspace_id", "pos_order_id", "position");

-- CreateIndex
CREATE INDEX "pos_refund_lines_workspace_id_pos_order_line_id_idx" ON "pos_refund_lines"("workspace_id", "pos_order_line_id");

-- CreateIndex
CREATE UNIQUE INDEX "pos_refund_lines_workspace_id_pos_refund_id_pos_order_line__key" ON "pos_refund_lines"("workspace_id", "pos_refund_id", "pos_order_line_id");

-- CreateIndex
CREATE UNIQUE INDEX "pos_order_lines_workspace_id_id_key" ON "pos_order_lines"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "pos_refunds" ADD CONSTRAINT "pos_refunds_workspace_id_pos_order_id_fkey" FOREIGN KEY ("workspace_id", "pos_order_id") REFERENCES "pos_orders"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pos_refund_lines" ADD CONSTRAINT "pos_refund_lines_workspace_id_pos_refund_id_fkey" FOREIGN KEY ("workspace_id", "pos_refund_id") REFERENCES "pos_refunds"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pos_refund_lines" ADD CONSTRAINT "pos_refund_lines_workspace_id_pos_order_line_id_fkey" FOREIGN KEY ("workspace_id", "pos_order_line_id") REFERENCES "pos_order_lines"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What Prisma cannot say.

ALTER TABLE "pos_orders"
  DROP CONSTRAINT "pos_orders_status_check",
  ADD CONSTRAINT "pos_orders_status_check" CHECK ("status" IN ('paid', 'partially_refunded', 'refunded'));

-- So far a sale was given back at once, with all of its goods. Nobody changes anything here: no version rises, nothing is logged.
ALTER TABLE "pos_orders" DISABLE TRIGGER USER;
UPDATE "pos_orders" SET "refunded_total" = "total" WHERE "status" = 'refunded';
ALTER TABLE "pos_orders" ENABLE TRIGGER USER;
INSERT INTO "pos_refunds" ("id", "workspace_id", "pos_order_id", "position", "number", "business_date", "net_total", "tax_total", "total",
  "cost", "restocked_cost", "taxes", "payments", "created_by", "created_at")
SELECT sale.id, sale.workspace_id, sale.id, 1, sale.number || '-R1', coalesce((
    SELECT movement.business_date FROM "stock_movements" AS movement WHERE movement.workspace_id = sale.workspace_id
      AND movement.idempotency_key LIKE 'refund:pos:' || sale.id || ':%' LIMIT 1), sale.refunded_at::date),
  sale.net_total, sale.tax_total, sale.total, sale.cost, sale.cost, sale.taxes, coalesce((
    SELECT jsonb_agg(jsonb_build_object('method', kept.method, 'amount', trim_scale(kept.amount)::text) ORDER BY kept.method)
    FROM (
      SELECT payment.method, sum(payment.amount) - CASE payment.method WHEN 'cash' THEN sale.change ELSE 0 END AS amount
      FROM "pos_payments" AS payment WHERE payment.workspace_id = sale.workspace_id AND payment.pos_order_id = sale.id
      GROUP BY payment.method) AS kept
    WHERE kept.amount > 0), '[]'), sale.updated_by, sale.refunded_at
FROM "pos_orders" AS sale WHERE sale.status = 'refunded';
INSERT INTO "pos_refund_lines" ("id", "workspace_id", "pos_refund_id", "pos_order_line_id", "qty", "restock", "net", "tax", "total", "cost")
SELECT line.id, line.workspace_id, sale.id, line.id, line.qty, TRUE, line.net, line.tax, line.total, line.cost
FROM "pos_orders" AS sale JOIN "pos_order_lines" AS line
  ON line.workspace_id = sale.workspace_id AND line.pos_order_id = sale.id
WHERE sale.status = 'refunded';

ALTER TABLE "pos_orders"
  ADD CONSTRAINT "pos_orders_refunded_total_check" CHECK ("refunded_total" BETWEEN 0 AND "total");
ALTER TABLE "pos_refunds"
  ADD CONSTRAINT "pos_refunds_position_check" CHECK ("position" > 0),
  ADD CONSTRAINT "pos_refunds_total_check" CHECK ("total" = "net_total" + "tax_total"),
  ADD CONSTRAINT "pos_refunds_cost_check" CHECK ("restocked_cost" BETWEEN 0 AND "cost");
ALTER TABLE "pos_refund_lines"
  ADD CONSTRAINT "pos_refund_lines_quantity_check" CHECK ("qty" > 0),
  ADD CONSTRAINT "pos_refund_lines_total_check" CHECK ("total" = "net" + "tax");
SELECT suite_member(member::regclass) FROM unnest(ARRAY['pos_refunds', 'pos_refund_lines']) AS member;
SELECT suite_append_only(written_once::regclass) FROM unnest(ARRAY['pos_refunds', 'pos_refund_lines']) AS written_once;
