-- CreateTable
CREATE TABLE "categories" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "parent_id" UUID,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL DEFAULT '#64748b',
    "kind" TEXT NOT NULL DEFAULT 'product',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "units" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "symbol" TEXT NOT NULL,
    "base_id" UUID,
    "factor" DECIMAL(18,6) NOT NULL DEFAULT 1,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "units_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "taxes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "rate" DECIMAL(12,6) NOT NULL,
    "kind" TEXT NOT NULL DEFAULT 'percent',
    "inclusive" BOOLEAN NOT NULL DEFAULT false,
    "compound" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "taxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "products" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "category_id" UUID,
    "unit_id" UUID,
    "sale_price" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "purchase_price" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "description" TEXT,
    "barcode" TEXT,
    "image" TEXT,
    "image_thumbnail" TEXT,
    "track_stock" BOOLEAN NOT NULL,
    "allow_negative" BOOLEAN NOT NULL DEFAULT false,
    "reorder_level" DECIMAL(18,6),
    "income_account_id" UUID,
    "expense_account_id" UUID,
    "stock_account_id" UUID,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name" || ' ' || "sku" || ' ' || coalesce("barcode", '') || ' ' || left(coalesce("description", ''), 4000))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "products_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "product_taxes" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "product_id" UUID NOT NULL,
    "tax_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,

    CONSTRAINT "product_taxes_pkey" PRIMARY KEY ("workspace_id","product_id","tax_id")
);

-- CreateTable
CREATE TABLE "discarded_files" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "key" TEXT NOT NULL,
    "discarded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discarded_files_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "warehouses" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "address" TEXT,
    "city" TEXT,
    "zip" TEXT,
    "phone" TEXT,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "warehouses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_levels" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "product_id" UUID NOT NULL,
    "warehouse_id" UUID NOT NULL,
    "on_hand" DECIMAL(18,6) NOT NULL DEFAULT 0,
    "reserved" DECIMAL(18,6) NOT NULL DEFAULT 0,
    "value" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "allow_negative" BOOLEAN NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "stock_levels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_movements" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "product_id" UUID NOT NULL,
    "warehouse_id" UUID NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "unit_cost" DECIMAL(19,6) NOT NULL,
    "value" DECIMAL(19,4) NOT NULL,
    "reason" TEXT NOT NULL,
    "source_type" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "source_line" TEXT NOT NULL,
    "idempotency_key" TEXT NOT NULL,
    "balance_after" DECIMAL(18,6) NOT NULL,
    "business_date" DATE NOT NULL,
    "by" UUID DEFAULT suite_actor_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT clock_timestamp(),

    CONSTRAINT "stock_movements_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_requests" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "key" TEXT NOT NULL,
    "content_hash" TEXT,
    "source_type" TEXT,
    "source_id" TEXT,
    "answer" JSONB,
    "reversed_at" TIMESTAMPTZ(3),
    "reversal" JSONB,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stock_requests_pkey" PRIMARY KEY ("workspace_id","kind","key")
);

-- CreateTable
CREATE TABLE "reservations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "source_type" TEXT NOT NULL,
    "source_id" TEXT NOT NULL,
    "source_line" TEXT NOT NULL,
    "product_id" UUID NOT NULL,
    "warehouse_id" UUID NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "consumed" DECIMAL(18,6) NOT NULL DEFAULT 0,
    "expires_at" TIMESTAMPTZ(3),
    "status" TEXT NOT NULL DEFAULT 'active',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT NOT NULL,
    "from_warehouse_id" UUID NOT NULL,
    "to_warehouse_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "note" TEXT,
    "status" TEXT NOT NULL DEFAULT 'completed',
    "reversed_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "transfers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "transfer_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "transfer_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "product_id" UUID NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "unit_cost" DECIMAL(19,6) NOT NULL,
    "value" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "transfer_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_adjustments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "product_id" UUID NOT NULL,
    "warehouse_id" UUID NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "unit_cost" DECIMAL(19,6) NOT NULL,
    "value" DECIMAL(19,4) NOT NULL,
    "reason" TEXT NOT NULL,
    "note" TEXT,
    "business_date" DATE NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "stock_adjustments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pos_orders" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT NOT NULL,
    "warehouse_id" UUID NOT NULL,
    "customer_id" UUID,
    "customer_name" TEXT,
    "cashier_id" UUID NOT NULL,
    "cashier_name" TEXT NOT NULL,
    "business_date" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "subtotal" DECIMAL(19,4) NOT NULL,
    "discount_total" DECIMAL(19,4) NOT NULL,
    "net_total" DECIMAL(19,4) NOT NULL,
    "tax_total" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "paid" DECIMAL(19,4) NOT NULL,
    "change" DECIMAL(19,4) NOT NULL,
    "cost" DECIMAL(19,4) NOT NULL,
    "taxes" JSONB NOT NULL,
    "note" TEXT,
    "status" TEXT NOT NULL DEFAULT 'paid',
    "refunded_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "pos_orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pos_order_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pos_order_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "product_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "sku" TEXT NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "unit_price" DECIMAL(19,4) NOT NULL,
    "gross" DECIMAL(19,4) NOT NULL,
    "discount" DECIMAL(19,4) NOT NULL,
    "header_discount" DECIMAL(19,4) NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "tax" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "cost" DECIMAL(19,4) NOT NULL,
    "taxes" JSONB NOT NULL,

    CONSTRAINT "pos_order_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pos_payments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pos_order_id" UUID NOT NULL,
    "position" SMALLINT NOT NULL,
    "method" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "pos_payments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "counters" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "year" SMALLINT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "counters_pkey" PRIMARY KEY ("workspace_id","type","year")
);

-- CreateIndex
CREATE INDEX "categories_workspace_id_created_at_id_idx" ON "categories"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "categories_workspace_id_updated_at_id_idx" ON "categories"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "categories_workspace_id_id_key" ON "categories"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "units_workspace_id_created_at_id_idx" ON "units"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "units_workspace_id_updated_at_id_idx" ON "units"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "units_workspace_id_id_key" ON "units"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "taxes_workspace_id_created_at_id_idx" ON "taxes"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "taxes_workspace_id_updated_at_id_idx" ON "taxes"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "taxes_workspace_id_id_key" ON "taxes"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "products_workspace_id_created_at_id_idx" ON "products"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_workspace_id_updated_at_id_idx" ON "products"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "products_workspace_id_name_id_idx" ON "products"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "products_workspace_id_barcode_idx" ON "products"("workspace_id", "barcode");

-- CreateIndex
CREATE INDEX "products_workspace_id_category_id_idx" ON "products"("workspace_id", "category_id");

-- CreateIndex
CREATE INDEX "products_workspace_id_unit_id_idx" ON "products"("workspace_id", "unit_id");

-- CreateIndex
CREATE UNIQUE INDEX "products_workspace_id_id_key" ON "products"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "product_taxes_workspace_id_tax_id_idx" ON "product_taxes"("workspace_id", "tax_id");

-- CreateIndex
CREATE INDEX "warehouses_workspace_id_created_at_id_idx" ON "warehouses"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "warehouses_workspace_id_updated_at_id_idx" ON "warehouses"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "warehouses_workspace_id_id_key" ON "warehouses"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "stock_levels_workspace_id_created_at_id_idx" ON "stock_levels"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "stock_levels_workspace_id_updated_at_id_idx" ON "stock_levels"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "stock_levels_workspace_id_warehouse_id_idx" ON "stock_levels"("workspace_id", "warehouse_id");

-- CreateIndex
CREATE UNIQUE INDEX "stock_levels_workspace_id_id_key" ON "stock_levels"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stock_levels_workspace_id_product_id_warehouse_id_key" ON "stock_levels"("workspace_id", "product_id", "warehouse_id");

-- CreateIndex
CREATE INDEX "stock_movements_workspace_id_product_id_warehouse_id_at_idx" ON "stock_movements"("workspace_id", "product_id", "warehouse_id", "at");

-- CreateIndex
CREATE INDEX "stock_movements_workspace_id_warehouse_id_idx" ON "stock_movements"("workspace_id", "warehouse_id");

-- CreateIndex
CREATE INDEX "stock_movements_workspace_id_source_type_source_id_idx" ON "stock_movements"("workspace_id", "source_type", "source_id");

-- CreateIndex
CREATE UNIQUE INDEX "stock_movements_workspace_id_id_key" ON "stock_movements"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stock_movements_workspace_id_idempotency_key_key" ON "stock_movements"("workspace_id", "idempotency_key");

-- CreateIndex
CREATE INDEX "stock_requests_workspace_id_kind_source_type_source_id_idx" ON "stock_requests"("workspace_id", "kind", "source_type", "source_id");

-- CreateIndex
CREATE INDEX "reservations_workspace_id_source_type_source_id_idx" ON "reservations"("workspace_id", "source_type", "source_id");

-- CreateIndex
CREATE INDEX "reservations_workspace_id_product_id_warehouse_id_status_idx" ON "reservations"("workspace_id", "product_id", "warehouse_id", "status");

-- CreateIndex
CREATE INDEX "reservations_workspace_id_warehouse_id_idx" ON "reservations"("workspace_id", "warehouse_id");

-- CreateIndex
CREATE UNIQUE INDEX "reservations_workspace_id_id_key" ON "reservations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "transfers_workspace_id_created_at_id_idx" ON "transfers"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transfers_workspace_id_updated_at_id_idx" ON "transfers"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "transfers_workspace_id_from_warehouse_id_idx" ON "transfers"("workspace_id", "from_warehouse_id");

-- CreateIndex
CREATE INDEX "transfers_workspace_id_to_warehouse_id_idx" ON "transfers"("workspace_id", "to_warehouse_id");

-- CreateIndex
CREATE UNIQUE INDEX "transfers_workspace_id_id_key" ON "transfers"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "transfer_lines_workspace_id_product_id_idx" ON "transfer_lines"("workspace_id", "product_id");

-- CreateIndex
CREATE UNIQUE INDEX "transfer_lines_workspace_id_transfer_id_position_key" ON "transfer_lines"("workspace_id", "transfer_id", "position");

-- CreateIndex
CREATE INDEX "stock_adjustments_workspace_id_created_at_id_idx" ON "stock_adjustments"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "stock_adjustments_workspace_id_updated_at_id_idx" ON "stock_adjustments"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "stock_adjustments_workspace_id_product_id_idx" ON "stock_adjustments"("workspace_id", "product_id");

-- CreateIndex
CREATE INDEX "stock_adjustments_workspace_id_warehouse_id_idx" ON "stock_adjustments"("workspace_id", "warehouse_id");

-- CreateIndex
CREATE UNIQUE INDEX "stock_adjustments_workspace_id_id_key" ON "stock_adjustments"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_created_at_id_idx" ON "pos_orders"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_updated_at_id_idx" ON "pos_orders"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "pos_orders_workspace_id_warehouse_id_idx" ON "pos_orders"("workspace_id", "warehouse_id");

-- CreateIndex
CREATE UNIQUE INDEX "pos_orders_workspace_id_id_key" ON "pos_orders"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "pos_order_lines_workspace_id_product_id_idx" ON "pos_order_lines"("workspace_id", "product_id");

-- CreateIndex
CREATE UNIQUE INDEX "pos_order_lines_workspace_id_pos_order_id_position_key" ON "pos_order_lines"("workspace_id", "pos_order_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "pos_payments_workspace_id_pos_order_id_position_key" ON "pos_payments"("workspace_id", "pos_order_id", "position");

-- AddForeignKey
ALTER TABLE "categories" ADD CONSTRAINT "categories_workspace_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "units" ADD CONSTRAINT "units_workspace_id_base_id_fkey" FOREIGN KEY ("workspace_id", "base_id") REFERENCES "units"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "products" ADD CONSTRAINT "products_workspace_id_unit_id_fkey" FOREIGN KEY ("workspace_id", "unit_id") REFERENCES "units"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_taxes" ADD CONSTRAINT "product_taxes_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "product_taxes" ADD CONSTRAINT "product_taxes_workspace_id_tax_id_fkey" FOREIGN KEY ("workspace_id", "tax_id") REFERENCES "taxes"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_levels" ADD CONSTRAINT "stock_levels_workspace_id_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_movements" ADD CONSTRAINT "stock_movements_workspace_id_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reservations" ADD CONSTRAINT "reservations_workspace_id_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_workspace_id_from_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "from_warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transfers" ADD CONSTRAINT "transfers_workspace_id_to_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "to_warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transfer_lines" ADD CONSTRAINT "transfer_lines_workspace_id_transfer_id_fkey" FOREIGN KEY ("workspace_id", "transfer_id") REFERENCES "transfers"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "transfer_lines" ADD CONSTRAINT "transfer_lines_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_adjustments" ADD CONSTRAINT "stock_adjustments_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stock_adjustments" ADD CONSTRAINT "stock_adjustments_workspace_id_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pos_orders" ADD CONSTRAINT "pos_orders_workspace_id_warehouse_id_fkey" FOREIGN KEY ("workspace_id", "warehouse_id") REFERENCES "warehouses"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pos_order_lines" ADD CONSTRAINT "pos_order_lines_workspace_id_product_id_fkey" FOREIGN KEY ("workspace_id", "product_id") REFERENCES "products"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pos_order_lines" ADD CONSTRAINT "pos_order_lines_workspace_id_pos_order_id_fkey" FOREIGN KEY ("workspace_id", "pos_order_id") REFERENCES "pos_orders"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "pos_payments" ADD CONSTRAINT "pos_payments_workspace_id_pos_order_id_fkey" FOREIGN KEY ("workspace_id", "pos_order_id") REFERENCES "pos_orders"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What follows is beyond Prisma's grammar.

-- An index for words inside one workspace.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "products_workspace_id_search_idx" ON "products" USING gin ("workspace_id", "search");

-- What is due anywhere.
CREATE INDEX "reservations_expiry_idx" ON "reservations" ("workspace_id", "expires_at") WHERE "status" = 'active' AND "expires_at" IS NOT NULL;

-- Names are unique whatever their case; the SKU also of what is archived.
CREATE UNIQUE INDEX "categories_name_key" ON "categories" ("workspace_id", "parent_id", lower("name")) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "units_name_key" ON "units" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "taxes_name_key" ON "taxes" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "products_sku_key" ON "products" ("workspace_id", lower("sku"));
CREATE UNIQUE INDEX "products_external_id_key" ON "products" ("workspace_id", "external_id");
CREATE UNIQUE INDEX "warehouses_code_key" ON "warehouses" ("workspace_id", lower("code"));
CREATE UNIQUE INDEX "warehouses_default_key" ON "warehouses" ("workspace_id") WHERE "is_default";
CREATE UNIQUE INDEX "transfers_number_key" ON "transfers" ("workspace_id", "number");
CREATE UNIQUE INDEX "pos_orders_number_key" ON "pos_orders" ("workspace_id", "number");

ALTER TABLE "categories"
  ADD CONSTRAINT "categories_kind_check" CHECK ("kind" IN ('product', 'income', 'expense')),
  ADD CONSTRAINT "categories_parent_id_check" CHECK ("parent_id" <> "id");
ALTER TABLE "units"
  ADD CONSTRAINT "units_factor_check" CHECK ("factor" > 0 AND ("base_id" IS NOT NULL OR "factor" = 1)),
  ADD CONSTRAINT "units_base_id_check" CHECK ("base_id" <> "id");
ALTER TABLE "taxes"
  ADD CONSTRAINT "taxes_kind_check" CHECK ("kind" IN ('percent', 'fixed')),
  ADD CONSTRAINT "taxes_rate_check" CHECK ("rate" >= 0 AND ("kind" = 'fixed' OR "rate" <= 100));
ALTER TABLE "products"
  ADD CONSTRAINT "products_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "products_sku_check" CHECK ("sku" <> ''),
  ADD CONSTRAINT "products_type_check" CHECK ("type" IN ('product', 'service')),
  ADD CONSTRAINT "products_track_stock_check" CHECK ("type" = 'product' OR NOT "track_stock"),
  ADD CONSTRAINT "products_prices_check" CHECK ("sale_price" >= 0 AND "purchase_price" >= 0),
  ADD CONSTRAINT "products_reorder_level_check" CHECK ("reorder_level" >= 0),
  ADD CONSTRAINT "products_image_check" CHECK (("image" IS NULL) = ("image_thumbnail" IS NULL));
ALTER TABLE "warehouses" ADD CONSTRAINT "warehouses_default_check" CHECK ("active" OR NOT "is_default");
-- What is promised is there, unless the product may be owed; and nothing is worth nothing.
ALTER TABLE "stock_levels"
  ADD CONSTRAINT "stock_levels_reserved_check" CHECK ("reserved" >= 0),
  ADD CONSTRAINT "stock_levels_available_check" CHECK ("allow_negative" OR "on_hand" >= "reserved"),
  ADD CONSTRAINT "stock_levels_value_check" CHECK (CASE sign("on_hand") WHEN 0 THEN "value" = 0 WHEN 1 THEN "value" >= 0 ELSE "value" <= 0 END);
ALTER TABLE "stock_movements"
  ADD CONSTRAINT "stock_movements_reason_check" CHECK ("reason" IN ('purchase', 'sale', 'sales_return', 'purchase_return', 'transfer_out', 'transfer_in', 'adjustment', 'opening', 'pos', 'scrap')),
  ADD CONSTRAINT "stock_movements_quantity_check" CHECK ("qty" <> 0 OR ("reason" = 'adjustment' AND "value" <> 0));
ALTER TABLE "stock_requests"
  ADD CONSTRAINT "stock_requests_kind_check" CHECK ("kind" IN ('issue', 'receipt', 'reservation', 'release')),
  ADD CONSTRAINT "stock_requests_answer_check" CHECK ("answer" IS NOT NULL OR "reversed_at" IS NOT NULL);
ALTER TABLE "reservations"
  ADD CONSTRAINT "reservations_status_check" CHECK ("status" IN ('active', 'consumed', 'released', 'expired')),
  ADD CONSTRAINT "reservations_quantity_check" CHECK ("qty" > 0 AND "consumed" BETWEEN 0 AND "qty"),
  ADD CONSTRAINT "reservations_consumed_check" CHECK (("status" = 'consumed') = ("consumed" = "qty"));
ALTER TABLE "transfers"
  ADD CONSTRAINT "transfers_to_warehouse_id_check" CHECK ("to_warehouse_id" <> "from_warehouse_id"),
  ADD CONSTRAINT "transfers_status_check" CHECK ("status" IN ('draft', 'in_transit', 'completed', 'cancelled', 'reversed')),
  ADD CONSTRAINT "transfers_reversed_check" CHECK (("status" = 'reversed') = ("reversed_at" IS NOT NULL));
ALTER TABLE "transfer_lines" ADD CONSTRAINT "transfer_lines_quantity_check" CHECK ("qty" > 0);
ALTER TABLE "stock_adjustments"
  ADD CONSTRAINT "stock_adjustments_quantity_check" CHECK (CASE "reason" WHEN 'opening' THEN "qty" > 0 WHEN 'scrap' THEN "qty" < 0 ELSE "qty" <> 0 END),
  ADD CONSTRAINT "stock_adjustments_reason_check" CHECK ("reason" IN ('adjustment', 'opening', 'scrap'));
ALTER TABLE "pos_orders"
  ADD CONSTRAINT "pos_orders_status_check" CHECK ("status" IN ('paid', 'refunded')),
  ADD CONSTRAINT "pos_orders_refunded_check" CHECK (("status" = 'refunded') = ("refunded_at" IS NOT NULL)),
  ADD CONSTRAINT "pos_orders_total_check" CHECK ("total" = "net_total" + "tax_total"),
  ADD CONSTRAINT "pos_orders_paid_check" CHECK ("change" >= 0 AND "paid" - "change" = "total"),
  ADD CONSTRAINT "pos_orders_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');
ALTER TABLE "pos_order_lines" ADD CONSTRAINT "pos_order_lines_quantity_check" CHECK ("qty" > 0);
ALTER TABLE "pos_payments"
  ADD CONSTRAINT "pos_payments_method_check" CHECK ("method" IN ('cash', 'bank', 'card', 'online', 'other')),
  ADD CONSTRAINT "pos_payments_amount_check" CHECK ("amount" > 0);
ALTER TABLE "counters" ADD CONSTRAINT "counters_last_check" CHECK ("last" > 0);

SELECT suite_record(record::regclass) FROM unnest(ARRAY[
  'categories', 'units', 'taxes', 'products', 'warehouses', 'reservations', 'transfers', 'stock_adjustments', 'pos_orders'
]) AS record;
SELECT suite_member(member::regclass) FROM unnest(ARRAY['product_taxes', 'transfer_lines', 'pos_order_lines', 'pos_payments']) AS member;
-- Movements say who changed a level, when and why: neither is audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['stock_levels', 'stock_movements', 'stock_requests', 'counters', 'discarded_files']) AS plain;
SELECT suite_append_only(written_once::regclass) FROM unnest(ARRAY[
  'stock_movements', 'transfer_lines', 'stock_adjustments', 'pos_order_lines', 'pos_payments'
]) AS written_once;
