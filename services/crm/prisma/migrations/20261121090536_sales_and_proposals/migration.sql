-- Sales and proposals, and the products of leads and deals. Its first part is what Prisma writes for schema.prisma, with
-- the generated columns in place.

-- CreateTable
CREATE TABLE "opportunities" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "customer_id" UUID,
    "customer_name" TEXT,
    "contact" TEXT,
    "amount" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "stage" TEXT NOT NULL DEFAULT 'prospecting',
    "probability" SMALLINT NOT NULL,
    "expected_close" DATE,
    "closed_at" TIMESTAMPTZ(3),
    "owner_id" UUID NOT NULL,
    "source_id" UUID,
    "description" TEXT,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("customer_name", '') || ' ' || coalesce("contact", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "opportunities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "meetings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "lead_id" UUID,
    "deal_id" UUID,
    "opportunity_id" UUID,
    "customer_id" UUID,
    "customer_name" TEXT,
    "quote_id" UUID,
    "sales_order_id" UUID,
    "parent_type" TEXT GENERATED ALWAYS AS (CASE WHEN "lead_id" IS NOT NULL THEN 'lead' WHEN "deal_id" IS NOT NULL THEN 'deal' WHEN "opportunity_id" IS NOT NULL THEN 'opportunity' WHEN "customer_id" IS NOT NULL THEN 'customer' WHEN "quote_id" IS NOT NULL THEN 'quote' WHEN "sales_order_id" IS NOT NULL THEN 'order' END) STORED,
    "parent_id" UUID GENERATED ALWAYS AS (coalesce("lead_id", "deal_id", "opportunity_id", "customer_id", "quote_id", "sales_order_id")) STORED,
    "start" TIMESTAMPTZ(3) NOT NULL,
    "end" TIMESTAMPTZ(3) NOT NULL,
    "timezone" TEXT NOT NULL,
    "location" TEXT,
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'planned',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "meetings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "meeting_attendees" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "meeting_id" UUID NOT NULL,
    "user_id" UUID,
    "name" TEXT,
    "email" TEXT,
    "response" TEXT NOT NULL DEFAULT 'pending',

    CONSTRAINT "meeting_attendees_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "quotes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "opportunity_id" UUID,
    "customer_id" UUID NOT NULL,
    "customer_name" TEXT NOT NULL,
    "contact" TEXT,
    "issue_date" DATE NOT NULL,
    "expiry_date" DATE NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "billing_address" TEXT,
    "shipping_address" TEXT,
    "terms" TEXT,
    "discount" JSONB,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "taxes" JSONB NOT NULL DEFAULT '[]',
    "status" TEXT NOT NULL DEFAULT 'draft',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "sent_at" TIMESTAMPTZ(3),
    "accepted_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("number", '') || ' ' || coalesce("customer_name", '') || ' ' || coalesce("contact", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "quotes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sales_orders" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "quote_id" UUID,
    "customer_id" UUID NOT NULL,
    "customer_name" TEXT NOT NULL,
    "order_date" DATE NOT NULL,
    "delivery_date" DATE,
    "warehouse_id" UUID NOT NULL,
    "warehouse_name" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "billing_address" TEXT,
    "shipping_address" TEXT,
    "reference" TEXT,
    "notes" TEXT,
    "discount" JSONB,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "taxes" JSONB NOT NULL DEFAULT '[]',
    "status" TEXT NOT NULL DEFAULT 'draft',
    "fulfilment_status" TEXT NOT NULL DEFAULT 'none',
    "invoice_status" TEXT NOT NULL DEFAULT 'nothing',
    "confirmed_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("number", '') || ' ' || coalesce("customer_name", '') || ' ' || coalesce("reference", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sales_orders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_reservations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sales_order_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL DEFAULT 'requested',
    "asked_by" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "order_reservations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "order_invoices" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sales_invoice_id" UUID NOT NULL,
    "sales_order_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "lines" JSONB NOT NULL,
    "cancelled" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "order_invoices_pkey" PRIMARY KEY ("workspace_id","sales_invoice_id")
);

-- CreateTable
CREATE TABLE "proposals" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "customer_id" UUID NOT NULL,
    "customer_name" TEXT NOT NULL,
    "customer_user_id" UUID,
    "issue_date" DATE NOT NULL,
    "valid_until" DATE NOT NULL,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "currency" TEXT NOT NULL,
    "terms" TEXT,
    "notes" TEXT,
    "discount" JSONB,
    "subtotal" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "discount_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "net_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "tax_total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "total" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "taxes" JSONB NOT NULL DEFAULT '[]',
    "status" TEXT NOT NULL DEFAULT 'draft',
    "revision" INTEGER NOT NULL DEFAULT 1,
    "sent_at" TIMESTAMPTZ(3),
    "accepted_at" TIMESTAMPTZ(3),
    "accepted_by" JSONB,
    "rejected_at" TIMESTAMPTZ(3),
    "reject_reason" TEXT,
    "converted_at" TIMESTAMPTZ(3),
    "invoice_id" UUID,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("number", '') || ' ' || coalesce("customer_name", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "proposals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sales_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "quote_id" UUID,
    "sales_order_id" UUID,
    "proposal_id" UUID,
    "position" INTEGER NOT NULL,
    "product_id" UUID,
    "product_name" TEXT,
    "sku" TEXT,
    "unit_id" UUID,
    "unit_name" TEXT,
    "description" TEXT,
    "qty" DECIMAL(18,6) NOT NULL,
    "unit_price" DECIMAL(19,4) NOT NULL,
    "discount" JSONB,
    "taxes" JSONB NOT NULL DEFAULT '[]',
    "gross" DECIMAL(19,4) NOT NULL,
    "discount_amount" DECIMAL(19,4) NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "tax" DECIMAL(19,4) NOT NULL,
    "total" DECIMAL(19,4) NOT NULL,
    "qty_delivered" DECIMAL(18,6) NOT NULL DEFAULT 0,
    "qty_invoiced" DECIMAL(18,6) NOT NULL DEFAULT 0,
    "reserved_qty" DECIMAL(18,6) NOT NULL DEFAULT 0,

    CONSTRAINT "sales_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "number_counters" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "number_counters_pkey" PRIMARY KEY ("workspace_id","type","year")
);

-- CreateTable
CREATE TABLE "given_numbers" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "year" INTEGER NOT NULL,
    "sequence" INTEGER NOT NULL,
    "document_id" UUID NOT NULL,

    CONSTRAINT "given_numbers_pkey" PRIMARY KEY ("workspace_id","type","year","sequence")
);

-- CreateTable
CREATE TABLE "stocked_products" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "warehouse_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "on_hand" DECIMAL(18,6) NOT NULL,
    "as_of" INTEGER NOT NULL,

    CONSTRAINT "stocked_products_pkey" PRIMARY KEY ("workspace_id","warehouse_id","product_id")
);

-- CreateTable
CREATE TABLE "lead_products" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "price" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "lead_products_pkey" PRIMARY KEY ("workspace_id","lead_id","product_id")
);

-- CreateTable
CREATE TABLE "deal_products" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "deal_id" UUID NOT NULL,
    "product_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "qty" DECIMAL(18,6) NOT NULL,
    "price" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "deal_products_pkey" PRIMARY KEY ("workspace_id","deal_id","product_id")
);

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_created_at_id_idx" ON "opportunities"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_updated_at_id_idx" ON "opportunities"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_stage_created_at_id_idx" ON "opportunities"("workspace_id", "stage", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "opportunities_workspace_id_owner_id_created_at_id_idx" ON "opportunities"("workspace_id", "owner_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "opportunities_workspace_id_id_key" ON "opportunities"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_created_at_id_idx" ON "meetings"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "meetings_workspace_id_start_id_idx" ON "meetings"("workspace_id", "start", "id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_lead_id_idx" ON "meetings"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_deal_id_idx" ON "meetings"("workspace_id", "deal_id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_opportunity_id_idx" ON "meetings"("workspace_id", "opportunity_id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_quote_id_idx" ON "meetings"("workspace_id", "quote_id");

-- CreateIndex
CREATE INDEX "meetings_workspace_id_sales_order_id_idx" ON "meetings"("workspace_id", "sales_order_id");

-- CreateIndex
CREATE UNIQUE INDEX "meetings_workspace_id_id_key" ON "meetings"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "meeting_attendees_workspace_id_user_id_idx" ON "meeting_attendees"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "meeting_attendees_workspace_id_meeting_id_user_id_key" ON "meeting_attendees"("workspace_id", "meeting_id", "user_id");

-- CreateIndex
CREATE INDEX "quotes_workspace_id_created_at_id_idx" ON "quotes"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "quotes_workspace_id_updated_at_id_idx" ON "quotes"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "quotes_workspace_id_status_created_at_id_idx" ON "quotes"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "quotes_workspace_id_customer_id_created_at_id_idx" ON "quotes"("workspace_id", "customer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "quotes_workspace_id_opportunity_id_idx" ON "quotes"("workspace_id", "opportunity_id");

-- CreateIndex
CREATE UNIQUE INDEX "quotes_workspace_id_id_key" ON "quotes"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "quotes_workspace_id_number_key" ON "quotes"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_created_at_id_idx" ON "sales_orders"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_updated_at_id_idx" ON "sales_orders"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_status_created_at_id_idx" ON "sales_orders"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "sales_orders_workspace_id_customer_id_created_at_id_idx" ON "sales_orders"("workspace_id", "customer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "sales_orders_workspace_id_id_key" ON "sales_orders"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_orders_workspace_id_number_key" ON "sales_orders"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "sales_orders_workspace_id_quote_id_key" ON "sales_orders"("workspace_id", "quote_id");

-- CreateIndex
CREATE UNIQUE INDEX "order_reservations_workspace_id_sales_order_id_attempt_key" ON "order_reservations"("workspace_id", "sales_order_id", "attempt");

-- CreateIndex
CREATE INDEX "order_invoices_workspace_id_sales_order_id_idx" ON "order_invoices"("workspace_id", "sales_order_id");

-- CreateIndex
CREATE INDEX "proposals_workspace_id_created_at_id_idx" ON "proposals"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "proposals_workspace_id_updated_at_id_idx" ON "proposals"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "proposals_workspace_id_status_created_at_id_idx" ON "proposals"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "proposals_workspace_id_customer_id_created_at_id_idx" ON "proposals"("workspace_id", "customer_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "proposals_workspace_id_customer_user_id_idx" ON "proposals"("workspace_id", "customer_user_id");

-- CreateIndex
CREATE UNIQUE INDEX "proposals_workspace_id_id_key" ON "proposals"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "proposals_workspace_id_number_key" ON "proposals"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "proposals_workspace_id_invoice_id_key" ON "proposals"("workspace_id", "invoice_id");

-- CreateIndex
CREATE UNIQUE INDEX "sales_lines_workspace_id_quote_id_position_key" ON "sales_lines"("workspace_id", "quote_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "sales_lines_workspace_id_sales_order_id_position_key" ON "sales_lines"("workspace_id", "sales_order_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "sales_lines_workspace_id_proposal_id_position_key" ON "sales_lines"("workspace_id", "proposal_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "given_numbers_workspace_id_type_document_id_key" ON "given_numbers"("workspace_id", "type", "document_id");

-- AddForeignKey
ALTER TABLE "opportunities" ADD CONSTRAINT "opportunities_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "opportunities" ADD CONSTRAINT "opportunities_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "sources"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_workspace_id_opportunity_id_fkey" FOREIGN KEY ("workspace_id", "opportunity_id") REFERENCES "opportunities"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_workspace_id_quote_id_fkey" FOREIGN KEY ("workspace_id", "quote_id") REFERENCES "quotes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meetings" ADD CONSTRAINT "meetings_workspace_id_sales_order_id_fkey" FOREIGN KEY ("workspace_id", "sales_order_id") REFERENCES "sales_orders"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meeting_attendees" ADD CONSTRAINT "meeting_attendees_workspace_id_meeting_id_fkey" FOREIGN KEY ("workspace_id", "meeting_id") REFERENCES "meetings"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "meeting_attendees" ADD CONSTRAINT "meeting_attendees_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_workspace_id_opportunity_id_fkey" FOREIGN KEY ("workspace_id", "opportunity_id") REFERENCES "opportunities"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sales_orders" ADD CONSTRAINT "sales_orders_workspace_id_quote_id_fkey" FOREIGN KEY ("workspace_id", "quote_id") REFERENCES "quotes"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_reservations" ADD CONSTRAINT "order_reservations_workspace_id_sales_order_id_fkey" FOREIGN KEY ("workspace_id", "sales_order_id") REFERENCES "sales_orders"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "order_invoices" ADD CONSTRAINT "order_invoices_workspace_id_sales_order_id_fkey" FOREIGN KEY ("workspace_id", "sales_order_id") REFERENCES "sales_orders"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sales_lines" ADD CONSTRAINT "sales_lines_workspace_id_quote_id_fkey" FOREIGN KEY ("workspace_id", "quote_id") REFERENCES "quotes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sales_lines" ADD CONSTRAINT "sales_lines_workspace_id_sales_order_id_fkey" FOREIGN KEY ("workspace_id", "sales_order_id") REFERENCES "sales_orders"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "sales_lines" ADD CONSTRAINT "sales_lines_workspace_id_proposal_id_fkey" FOREIGN KEY ("workspace_id", "proposal_id") REFERENCES "proposals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_products" ADD CONSTRAINT "lead_products_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_products" ADD CONSTRAINT "deal_products_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What follows is beyond Prisma's grammar.

CREATE INDEX "opportunities_workspace_id_search_idx" ON "opportunities" USING gin ("workspace_id", "search");
CREATE INDEX "quotes_workspace_id_search_idx" ON "quotes" USING gin ("workspace_id", "search");
CREATE INDEX "sales_orders_workspace_id_search_idx" ON "sales_orders" USING gin ("workspace_id", "search");
CREATE INDEX "proposals_workspace_id_search_idx" ON "proposals" USING gin ("workspace_id", "search");
CREATE INDEX "meetings_parent_idx" ON "meetings" ("workspace_id", "parent_type", "parent_id");

-- What the schedules look for: offers whose time is over, and reservations that are under way.
CREATE INDEX "quotes_due_idx" ON "quotes" ("workspace_id", "expires_at") WHERE "status" = 'sent';
CREATE INDEX "proposals_due_idx" ON "proposals" ("workspace_id", "expires_at") WHERE "status" = 'sent';
CREATE INDEX "order_reservations_open_idx" ON "order_reservations" ("workspace_id", "since") WHERE "state" IN ('requested', 'releasing');

-- An order has one reservation at a time that is asked for, held, or being given back.
CREATE UNIQUE INDEX "order_reservations_one_key" ON "order_reservations" ("workspace_id", "sales_order_id") WHERE "state" <> 'released';

ALTER TABLE "opportunities"
  ADD CONSTRAINT "opportunities_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "opportunities_amount_check" CHECK ("amount" >= 0),
  ADD CONSTRAINT "opportunities_stage_check" CHECK ("stage" IN ('prospecting', 'qualification', 'proposal', 'negotiation', 'closed_won', 'closed_lost')),
  ADD CONSTRAINT "opportunities_probability_check" CHECK (CASE "stage" WHEN 'closed_won' THEN "probability" = 100 WHEN 'closed_lost' THEN "probability" = 0 ELSE "probability" BETWEEN 0 AND 100 END),
  ADD CONSTRAINT "opportunities_closed_check" CHECK (("stage" IN ('closed_won', 'closed_lost')) = ("closed_at" IS NOT NULL)),
  ADD CONSTRAINT "opportunities_customer_check" CHECK (("customer_id" IS NULL) = ("customer_name" IS NULL));
ALTER TABLE "meetings"
  ADD CONSTRAINT "meetings_parent_check" CHECK (num_nonnulls("lead_id", "deal_id", "opportunity_id", "customer_id", "quote_id", "sales_order_id") = 1),
  ADD CONSTRAINT "meetings_customer_check" CHECK (("customer_id" IS NULL) = ("customer_name" IS NULL)),
  ADD CONSTRAINT "meetings_end_check" CHECK ("end" > "start"),
  ADD CONSTRAINT "meetings_status_check" CHECK ("status" IN ('planned', 'held', 'not_held', 'cancelled'));
ALTER TABLE "meeting_attendees"
  ADD CONSTRAINT "meeting_attendees_who_check" CHECK (("user_id" IS NULL) = ("name" IS NOT NULL)),
  ADD CONSTRAINT "meeting_attendees_response_check" CHECK ("response" IN ('pending', 'accepted', 'declined'));
ALTER TABLE "quotes"
  ADD CONSTRAINT "quotes_status_check" CHECK ("status" IN ('draft', 'sent', 'accepted', 'declined', 'expired', 'ordered', 'cancelled')),
  ADD CONSTRAINT "quotes_expiry_date_check" CHECK ("expiry_date" >= "issue_date"),
  ADD CONSTRAINT "quotes_revision_check" CHECK ("revision" >= 1);
ALTER TABLE "sales_orders"
  ADD CONSTRAINT "sales_orders_status_check" CHECK ("status" IN ('draft', 'confirmed', 'on_hold', 'completed', 'cancelled', 'closed')),
  ADD CONSTRAINT "sales_orders_fulfilment_status_check" CHECK ("fulfilment_status" IN ('none', 'partial', 'full')),
  ADD CONSTRAINT "sales_orders_invoice_status_check" CHECK ("invoice_status" IN ('nothing', 'to_invoice', 'partial', 'full')),
  ADD CONSTRAINT "sales_orders_delivery_date_check" CHECK ("delivery_date" >= "order_date");
ALTER TABLE "order_reservations"
  ADD CONSTRAINT "order_reservations_state_check" CHECK ("state" IN ('requested', 'reserved', 'releasing', 'released')),
  ADD CONSTRAINT "order_reservations_attempt_check" CHECK ("attempt" >= 1);
ALTER TABLE "proposals"
  ADD CONSTRAINT "proposals_status_check" CHECK ("status" IN ('draft', 'sent', 'accepted', 'rejected', 'expired', 'converted')),
  ADD CONSTRAINT "proposals_valid_until_check" CHECK ("valid_until" >= "issue_date"),
  ADD CONSTRAINT "proposals_revision_check" CHECK ("revision" >= 1),
  ADD CONSTRAINT "proposals_accepted_check" CHECK (("status" IN ('accepted', 'converted')) = ("accepted_at" IS NOT NULL)),
  ADD CONSTRAINT "proposals_rejected_check" CHECK (("status" = 'rejected') = ("rejected_at" IS NOT NULL)),
  ADD CONSTRAINT "proposals_converted_check" CHECK (("status" = 'converted') = ("invoice_id" IS NOT NULL AND "converted_at" IS NOT NULL));
ALTER TABLE "quotes" ADD CONSTRAINT "quotes_amounts_check" CHECK ("subtotal" >= 0 AND "discount_total" >= 0 AND "tax_total" >= 0 AND "total" = "net_total" + "tax_total");
ALTER TABLE "sales_orders" ADD CONSTRAINT "sales_orders_amounts_check" CHECK ("subtotal" >= 0 AND "discount_total" >= 0 AND "tax_total" >= 0 AND "total" = "net_total" + "tax_total");
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_amounts_check" CHECK ("subtotal" >= 0 AND "discount_total" >= 0 AND "tax_total" >= 0 AND "total" = "net_total" + "tax_total");
ALTER TABLE "sales_lines"
  ADD CONSTRAINT "sales_lines_document_check" CHECK (num_nonnulls("quote_id", "sales_order_id", "proposal_id") = 1),
  ADD CONSTRAINT "sales_lines_position_check" CHECK ("position" >= 0),
  ADD CONSTRAINT "sales_lines_text_check" CHECK ("product_id" IS NOT NULL OR "description" IS NOT NULL),
  ADD CONSTRAINT "sales_lines_qty_check" CHECK ("qty" > 0),
  ADD CONSTRAINT "sales_lines_unit_price_check" CHECK ("unit_price" >= 0),
  ADD CONSTRAINT "sales_lines_amounts_check" CHECK ("gross" >= 0 AND "discount_amount" >= 0 AND "tax" >= 0 AND "total" = "net" + "tax"),
  ADD CONSTRAINT "sales_lines_progress_check" CHECK ("qty_delivered" BETWEEN 0 AND "qty" AND "qty_invoiced" BETWEEN 0 AND "qty" AND "reserved_qty" BETWEEN 0 AND "qty");
ALTER TABLE "number_counters" ADD CONSTRAINT "number_counters_last_check" CHECK ("last" >= 1);
ALTER TABLE "lead_products" ADD CONSTRAINT "lead_products_qty_check" CHECK ("qty" > 0), ADD CONSTRAINT "lead_products_price_check" CHECK ("price" >= 0);
ALTER TABLE "deal_products" ADD CONSTRAINT "deal_products_qty_check" CHECK ("qty" > 0), ADD CONSTRAINT "deal_products_price_check" CHECK ("price" >= 0);

SELECT suite_record(record::regclass) FROM unnest(ARRAY['opportunities', 'meetings', 'quotes', 'sales_orders', 'proposals']) AS record;
SELECT suite_member(member::regclass) FROM unnest(ARRAY[
  'meeting_attendees', 'sales_lines', 'order_reservations', 'order_invoices', 'lead_products', 'deal_products'
]) AS member;
-- Counters and copies of another service's records: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['number_counters', 'given_numbers', 'stocked_products']) AS plain;
SELECT suite_append_only('given_numbers');
