-- CreateTable
CREATE TABLE "sales_invoices" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "customer_id" UUID NOT NULL,
    "invoice_date" DATE NOT NULL,
    "due_date" DATE NOT NULL,
    "warehouse_id" UUID,
    "reference" TEXT,
    "notes" TEXT,
    "proposal_id" UUID,
    "sales_order_id" UUID,
    "external_id" TEXT,
    "draft_key" TEXT,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "discount" JSONB,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "base_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "journal_id" UUID,
    "posted_by" UUID,
    "posted_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sales_invoices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "purchase_invoices" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "vendor_id" UUID NOT NULL,
    "invoice_date" DATE NOT NULL,
    "due_date" DATE NOT NULL,
    "warehouse_id" UUID,
    "reference" TEXT,
    "notes" TEXT,
    "vendor_reference" TEXT,
    "received_date" DATE,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "discount" JSONB,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "base_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "journal_id" UUID,
    "posted_by" UUID,
    "posted_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "purchase_invoices_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "invoice_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sales_invoice_id" UUID,
    "purchase_invoice_id" UUID,
    "position" INTEGER NOT NULL,
    "product_id" UUID,
    "product_name" TEXT,
    "sku" TEXT,
    "unit_name" TEXT,
    "description" TEXT,
    "tracked" BOOLEAN NOT NULL DEFAULT false,
    "income_account_id" UUID,
    "expense_account_id" UUID,
    "stock_account_id" UUID,
    "qty" DECIMAL(18,6) NOT NULL,
    "unit_price" DECIMAL(19,4) NOT NULL,
    "discount" JSONB,
    "gross" DECIMAL(19,4) NOT NULL,
    "line_discount" DECIMAL(19,4) NOT NULL,
    "header_discount" DECIMAL(19,4) NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "tax" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "taxes" JSONB NOT NULL DEFAULT '[]',
    "cost" DECIMAL(19,4),

    CONSTRAINT "invoice_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sales_returns" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "invoice_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "return_date" DATE NOT NULL,
    "reason" TEXT NOT NULL,
    "notes" TEXT,
    "warehouse_id" UUID,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "base_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "credit_note_id" UUID,
    "journal_id" UUID,
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "completed_by" UUID,
    "completed_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sales_returns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "purchase_returns" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "status" TEXT NOT NULL DEFAULT 'draft',
    "invoice_id" UUID NOT NULL,
    "vendor_id" UUID NOT NULL,
    "return_date" DATE NOT NULL,
    "reason" TEXT NOT NULL,
    "notes" TEXT,
    "warehouse_id" UUID,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "base_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "debit_note_id" UUID,
    "journal_id" UUID,
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "completed_by" UUID,
    "completed_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "purchase_returns_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "return_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sales_return_id" UUID,
    "purchase_return_id" UUID,
    "invoice_line_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "disposition" TEXT NOT NULL DEFAULT 'restock',
    "gross" DECIMAL(19,4) NOT NULL,
    "line_discount" DECIMAL(19,4) NOT NULL,
    "header_discount" DECIMAL(19,4) NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "tax" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "taxes" JSONB NOT NULL DEFAULT '[]',
    "cost" DECIMAL(19,4),

    CONSTRAINT "return_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "number" TEXT NOT NULL,
    "customer_id" UUID,
    "vendor_id" UUID,
    "sales_return_id" UUID,
    "purchase_return_id" UUID,
    "invoice_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "net_total" DECIMAL(19,4) NOT NULL,
    "tax_total" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "open_item_id" UUID NOT NULL,
    "journal_id" UUID NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stock_sagas" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "document_type" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "direction" TEXT NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'requested',
    "asked_by" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "stock_sagas_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_created_at_id_idx" ON "sales_invoices"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_updated_at_id_idx" ON "sales_invoices"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "sales_invoices_workspace_id_customer_id_invoice_date_idx" ON "sales_invoices"("workspace_id", "customer_id", "invoice_date");

-- CreateIndex
CREATE UNIQUE INDEX "sales_invoices_workspace_id_id_key" ON "sales_invoices"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_invoices_number_key" ON "sales_invoices"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "sales_invoices_external_id_key" ON "sales_invoices"("workspace_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_invoices_draft_key_key" ON "sales_invoices"("workspace_id", "draft_key");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_created_at_id_idx" ON "purchase_invoices"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_updated_at_id_idx" ON "purchase_invoices"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "purchase_invoices_workspace_id_vendor_id_invoice_date_idx" ON "purchase_invoices"("workspace_id", "vendor_id", "invoice_date");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_invoices_workspace_id_id_key" ON "purchase_invoices"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_invoices_number_key" ON "purchase_invoices"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_invoices_vendor_reference_key" ON "purchase_invoices"("workspace_id", "vendor_id", "vendor_reference");

-- CreateIndex
CREATE INDEX "invoice_lines_workspace_id_sales_invoice_id_position_idx" ON "invoice_lines"("workspace_id", "sales_invoice_id", "position");

-- CreateIndex
CREATE INDEX "invoice_lines_workspace_id_purchase_invoice_id_position_idx" ON "invoice_lines"("workspace_id", "purchase_invoice_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "invoice_lines_workspace_id_id_key" ON "invoice_lines"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_created_at_id_idx" ON "sales_returns"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_returns_workspace_id_invoice_id_idx" ON "sales_returns"("workspace_id", "invoice_id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_returns_workspace_id_id_key" ON "sales_returns"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_returns_number_key" ON "sales_returns"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_created_at_id_idx" ON "purchase_returns"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "purchase_returns_workspace_id_invoice_id_idx" ON "purchase_returns"("workspace_id", "invoice_id");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_returns_workspace_id_id_key" ON "purchase_returns"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "purchase_returns_number_key" ON "purchase_returns"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "return_lines_workspace_id_sales_return_id_position_idx" ON "return_lines"("workspace_id", "sales_return_id", "position");

-- CreateIndex
CREATE INDEX "return_lines_workspace_id_purchase_return_id_position_idx" ON "return_lines"("workspace_id", "purchase_return_id", "position");

-- CreateIndex
CREATE INDEX "return_lines_workspace_id_invoice_line_id_idx" ON "return_lines"("workspace_id", "invoice_line_id");

-- CreateIndex
CREATE UNIQUE INDEX "return_lines_workspace_id_id_key" ON "return_lines"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "notes_workspace_id_created_at_id_idx" ON "notes"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "notes_workspace_id_id_key" ON "notes"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notes_number_key" ON "notes"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "stock_sagas_workspace_id_document_id_attempt_key" ON "stock_sagas"("workspace_id", "document_id", "attempt");

-- What Prisma cannot say.

ALTER TABLE "sales_invoices" ADD CONSTRAINT "sales_invoices_customer_id_fkey" FOREIGN KEY ("workspace_id", "customer_id") REFERENCES "customers" ("workspace_id", "id");
ALTER TABLE "purchase_invoices" ADD CONSTRAINT "purchase_invoices_vendor_id_fkey" FOREIGN KEY ("workspace_id", "vendor_id") REFERENCES "vendors" ("workspace_id", "id");
ALTER TABLE "sales_invoices" ADD CONSTRAINT "sales_invoices_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "purchase_invoices" ADD CONSTRAINT "purchase_invoices_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "sales_returns" ADD CONSTRAINT "sales_returns_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "purchase_returns" ADD CONSTRAINT "purchase_returns_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "notes" ADD CONSTRAINT "notes_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_sales_invoice_id_fkey" FOREIGN KEY ("workspace_id", "sales_invoice_id") REFERENCES "sales_invoices" ("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_purchase_invoice_id_fkey" FOREIGN KEY ("workspace_id", "purchase_invoice_id") REFERENCES "purchase_invoices" ("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_income_account_id_fkey" FOREIGN KEY ("workspace_id", "income_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_expense_account_id_fkey" FOREIGN KEY ("workspace_id", "expense_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_stock_account_id_fkey" FOREIGN KEY ("workspace_id", "stock_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "sales_returns" ADD CONSTRAINT "sales_returns_invoice_id_fkey" FOREIGN KEY ("workspace_id", "invoice_id") REFERENCES "sales_invoices" ("workspace_id", "id");
ALTER TABLE "purchase_returns" ADD CONSTRAINT "purchase_returns_invoice_id_fkey" FOREIGN KEY ("workspace_id", "invoice_id") REFERENCES "purchase_invoices" ("workspace_id", "id");
ALTER TABLE "sales_returns" ADD CONSTRAINT "sales_returns_customer_id_fkey" FOREIGN KEY ("workspace_id", "customer_id") REFERENCES "customers" ("workspace_id", "id");
ALTER TABLE "purchase_returns" ADD CONSTRAINT "purchase_returns_vendor_id_fkey" FOREIGN KEY ("workspace_id", "vendor_id") REFERENCES "vendors" ("workspace_id", "id");
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_sales_return_id_fkey" FOREIGN KEY ("workspace_id", "sales_return_id") REFERENCES "sales_returns" ("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_purchase_return_id_fkey" FOREIGN KEY ("workspace_id", "purchase_return_id") REFERENCES "purchase_returns" ("workspace_id", "id") ON DELETE CASCADE;
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_invoice_line_id_fkey" FOREIGN KEY ("workspace_id", "invoice_line_id") REFERENCES "invoice_lines" ("workspace_id", "id");
ALTER TABLE "notes" ADD CONSTRAINT "notes_customer_id_fkey" FOREIGN KEY ("workspace_id", "customer_id") REFERENCES "customers" ("workspace_id", "id");
ALTER TABLE "notes" ADD CONSTRAINT "notes_vendor_id_fkey" FOREIGN KEY ("workspace_id", "vendor_id") REFERENCES "vendors" ("workspace_id", "id");
ALTER TABLE "notes" ADD CONSTRAINT "notes_sales_return_id_fkey" FOREIGN KEY ("workspace_id", "sales_return_id") REFERENCES "sales_returns" ("workspace_id", "id");
ALTER TABLE "notes" ADD CONSTRAINT "notes_purchase_return_id_fkey" FOREIGN KEY ("workspace_id", "purchase_return_id") REFERENCES "purchase_returns" ("workspace_id", "id");
ALTER TABLE "notes" ADD CONSTRAINT "notes_open_item_id_fkey" FOREIGN KEY ("workspace_id", "open_item_id") REFERENCES "open_items" ("workspace_id", "id");
ALTER TABLE "sales_returns" ADD CONSTRAINT "sales_returns_credit_note_id_fkey" FOREIGN KEY ("workspace_id", "credit_note_id") REFERENCES "notes" ("workspace_id", "id");
ALTER TABLE "purchase_returns" ADD CONSTRAINT "purchase_returns_debit_note_id_fkey" FOREIGN KEY ("workspace_id", "debit_note_id") REFERENCES "notes" ("workspace_id", "id");

ALTER TABLE "sales_invoices"
  ADD CONSTRAINT "sales_invoices_status_check" CHECK ("status" IN ('draft', 'posted', 'partially_paid', 'paid', 'credited', 'cancelled')),
  ADD CONSTRAINT "sales_invoices_posted_check" CHECK (("status" = 'draft') = ("number" IS NULL) AND ("number" IS NULL) = ("journal_id" IS NULL) AND ("number" IS NULL) = ("posted_at" IS NULL)),
  ADD CONSTRAINT "sales_invoices_days_check" CHECK ("due_date" >= "invoice_date"),
  ADD CONSTRAINT "sales_invoices_rate_check" CHECK ("rate" > 0),
  ADD CONSTRAINT "sales_invoices_total_check" CHECK ("net_total" >= 0 AND "tax_total" >= 0 AND "total" = "net_total" + "tax_total");

ALTER TABLE "purchase_invoices"
  ADD CONSTRAINT "purchase_invoices_status_check" CHECK ("status" IN ('draft', 'posted', 'partially_paid', 'paid', 'credited', 'cancelled')),
  ADD CONSTRAINT "purchase_invoices_posted_check" CHECK (("status" = 'draft') = ("number" IS NULL) AND ("number" IS NULL) = ("journal_id" IS NULL) AND ("number" IS NULL) = ("posted_at" IS NULL)),
  ADD CONSTRAINT "purchase_invoices_days_check" CHECK ("due_date" >= "invoice_date"),
  ADD CONSTRAINT "purchase_invoices_rate_check" CHECK ("rate" > 0),
  ADD CONSTRAINT "purchase_invoices_total_check" CHECK ("net_total" >= 0 AND "tax_total" >= 0 AND "total" = "net_total" + "tax_total");
-- A proposal becomes at most one invoice.
CREATE UNIQUE INDEX "sales_invoices_proposal_id_key" ON "sales_invoices" ("workspace_id", "proposal_id") WHERE "proposal_id" IS NOT NULL;
CREATE INDEX "sales_invoices_sales_order_id_idx" ON "sales_invoices" ("workspace_id", "sales_order_id") WHERE "sales_order_id" IS NOT NULL;

ALTER TABLE "invoice_lines"
  ADD CONSTRAINT "invoice_lines_document_check" CHECK (num_nonnulls("sales_invoice_id", "purchase_invoice_id") = 1),
  ADD CONSTRAINT "invoice_lines_qty_check" CHECK ("qty" > 0),
  ADD CONSTRAINT "invoice_lines_figures_check" CHECK ("net" >= 0 AND "tax" >= 0 AND "total" = "net" + "tax" AND "cost" >= 0);

ALTER TABLE "return_lines"
  ADD CONSTRAINT "return_lines_document_check" CHECK (num_nonnulls("sales_return_id", "purchase_return_id") = 1),
  ADD CONSTRAINT "return_lines_qty_check" CHECK ("qty" > 0),
  ADD CONSTRAINT "return_lines_figures_check" CHECK ("net" >= 0 AND "tax" >= 0 AND "total" = "net" + "tax" AND "cost" >= 0);
ALTER TABLE "return_lines" ADD CONSTRAINT "return_lines_disposition_check" CHECK ("disposition" IN ('restock', 'scrap'));

ALTER TABLE "sales_returns"
  ADD CONSTRAINT "sales_returns_status_check" CHECK ("status" IN ('draft', 'approved', 'completed')),
  ADD CONSTRAINT "sales_returns_number_check" CHECK (("status" = 'draft') = ("number" IS NULL)),
  ADD CONSTRAINT "sales_returns_completed_check" CHECK (("status" = 'completed') = ("credit_note_id" IS NOT NULL) AND ("credit_note_id" IS NULL) = ("journal_id" IS NULL)),
  ADD CONSTRAINT "sales_returns_reason_check" CHECK ("reason" IN ('defective', 'wrong_item', 'damaged', 'not_needed', 'other'));

ALTER TABLE "purchase_returns"
  ADD CONSTRAINT "purchase_returns_status_check" CHECK ("status" IN ('draft', 'approved', 'completed')),
  ADD CONSTRAINT "purchase_returns_number_check" CHECK (("status" = 'draft') = ("number" IS NULL)),
  ADD CONSTRAINT "purchase_returns_completed_check" CHECK (("status" = 'completed') = ("debit_note_id" IS NOT NULL) AND ("debit_note_id" IS NULL) = ("journal_id" IS NULL)),
  ADD CONSTRAINT "purchase_returns_reason_check" CHECK ("reason" IN ('defective', 'wrong_item', 'damaged', 'not_needed', 'other'));

ALTER TABLE "notes"
  ADD CONSTRAINT "notes_kind_check" CHECK ("kind" IN ('credit', 'debit')),
  ADD CONSTRAINT "notes_party_check" CHECK (("kind" = 'credit') = ("customer_id" IS NOT NULL) AND ("kind" = 'debit') = ("vendor_id" IS NOT NULL)),
  ADD CONSTRAINT "notes_total_check" CHECK ("total" > 0 AND "total" = "net_total" + "tax_total");
-- A return is credited once.
CREATE UNIQUE INDEX "notes_sales_return_id_key" ON "notes" ("workspace_id", "sales_return_id") WHERE "sales_return_id" IS NOT NULL;
CREATE UNIQUE INDEX "notes_purchase_return_id_key" ON "notes" ("workspace_id", "purchase_return_id") WHERE "purchase_return_id" IS NOT NULL;
ALTER TABLE "stock_sagas"
  ADD CONSTRAINT "stock_sagas_direction_check" CHECK ("direction" IN ('issue', 'receipt')),
  ADD CONSTRAINT "stock_sagas_state_check" CHECK ("state" IN ('requested', 'settled', 'reversing', 'reversed'));
-- One attempt at a time, and goods that stay moved only once.
CREATE UNIQUE INDEX "stock_sagas_open_key" ON "stock_sagas" ("workspace_id", "document_id") WHERE "state" <> 'reversed';
CREATE INDEX "stock_sagas_due_idx" ON "stock_sagas" ("since") WHERE "state" IN ('requested', 'reversing');

SELECT suite_record(record::regclass) FROM unnest(ARRAY[
  'sales_invoices', 'purchase_invoices', 'sales_returns', 'purchase_returns', 'notes'
]) AS record;
SELECT suite_member(line::regclass) FROM unnest(ARRAY['invoice_lines', 'return_lines']) AS line;
SELECT suite_confine('stock_sagas');
