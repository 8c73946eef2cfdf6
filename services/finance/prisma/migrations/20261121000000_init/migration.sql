-- The first schema of finance. Its first part is what Prisma writes for schema.prisma, with the search columns in place.

-- CreateTable
CREATE TABLE "books" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "base_currency" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "fiscal_year_start" TEXT NOT NULL DEFAULT '01-01',
    "four_eyes" BOOLEAN NOT NULL DEFAULT false,
    "credit_limit" TEXT NOT NULL DEFAULT 'warn',
    "return_effects_on" TEXT NOT NULL DEFAULT 'complete',

    CONSTRAINT "books_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "account_types" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "class" TEXT NOT NULL,
    "normal" TEXT NOT NULL,
    "system" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "account_types_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "gl_accounts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "type_id" UUID NOT NULL,
    "parent_id" UUID,
    "is_group" BOOLEAN NOT NULL DEFAULT false,
    "currency" TEXT,
    "system_role" TEXT,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "gl_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ledger_heads" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sequence" BIGINT NOT NULL DEFAULT 0,
    "hash" BYTEA NOT NULL,

    CONSTRAINT "ledger_heads_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "journal_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sequence" BIGINT NOT NULL,
    "number" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "scope" TEXT NOT NULL,
    "source_type" TEXT NOT NULL,
    "source_id" UUID NOT NULL,
    "purpose" TEXT NOT NULL,
    "narration" TEXT NOT NULL DEFAULT '',
    "reversal_of" UUID,
    "line_count" INTEGER NOT NULL,
    "prev_hash" BYTEA NOT NULL,
    "hash" BYTEA NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "journal_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "journal_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "entry_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "line_count" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "account_id" UUID NOT NULL,
    "debit" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "credit" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "party_kind" TEXT,
    "party_id" UUID,
    "open_item_id" UUID,
    "tax_id" UUID,
    "product_id" UUID,
    "warehouse_id" UUID,
    "project_id" UUID,
    "memo" TEXT NOT NULL DEFAULT '',

    CONSTRAINT "journal_lines_pkey" PRIMARY KEY ("workspace_id","entry_id","position")
);

-- CreateTable
CREATE TABLE "period_locks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "scope" TEXT NOT NULL,
    "locked_through" DATE NOT NULL,
    "reason" TEXT NOT NULL,
    "exception_until" TIMESTAMPTZ(3),
    "exception_reason" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "period_locks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "number_counters" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "year" SMALLINT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "number_counters_pkey" PRIMARY KEY ("workspace_id","type","year")
);

-- CreateTable
CREATE TABLE "customers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "company" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "tax_number" TEXT,
    "user_id" UUID,
    "billing_address" TEXT,
    "shipping_address" TEXT,
    "currency" TEXT NOT NULL,
    "payment_terms_days" SMALLINT NOT NULL DEFAULT 30,
    "credit_limit" DECIMAL(19,4),
    "external_id" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("company", '') || ' ' || coalesce("email", '') || ' ' || coalesce("phone", '') || ' ' || "code")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "customers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "vendors" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "company" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "tax_number" TEXT,
    "user_id" UUID,
    "billing_address" TEXT,
    "shipping_address" TEXT,
    "currency" TEXT NOT NULL,
    "payment_terms_days" SMALLINT NOT NULL DEFAULT 30,
    "credit_limit" DECIMAL(19,4),
    "external_id" TEXT,
    "metadata" JSONB NOT NULL DEFAULT '{}',
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("company", '') || ' ' || coalesce("email", '') || ' ' || coalesce("phone", '') || ' ' || "code")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "vendors_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "open_items" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "customer_id" UUID,
    "vendor_id" UUID,
    "document_type" TEXT NOT NULL,
    "document_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "due_date" DATE NOT NULL,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "base_amount" DECIMAL(19,4) NOT NULL,
    "settled" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "base_settled" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "voided" BOOLEAN NOT NULL DEFAULT false,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "open_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "allocations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "claim_id" UUID NOT NULL,
    "credit_id" UUID NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "claim_base" DECIMAL(19,4) NOT NULL,
    "credit_base" DECIMAL(19,4) NOT NULL,
    "date" DATE NOT NULL,
    "journal_id" UUID NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "allocations_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bank_accounts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "bank_name" TEXT NOT NULL,
    "account_name" TEXT NOT NULL,
    "account_number" TEXT,
    "holder" TEXT,
    "currency" TEXT NOT NULL,
    "gl_account_id" UUID NOT NULL,
    "opening_balance" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "opening_date" DATE NOT NULL,
    "is_cash" BOOLEAN NOT NULL DEFAULT false,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "bank_accounts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bank_transactions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "bank_account_id" UUID NOT NULL,
    "journal_id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "position" INTEGER NOT NULL,
    "date" DATE NOT NULL,
    "direction" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "counterparty" TEXT,
    "reference" TEXT,
    "source_type" TEXT NOT NULL,
    "source_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'unreconciled',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "bank_transactions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "bank_transfers" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT NOT NULL,
    "from_account_id" UUID NOT NULL,
    "to_account_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "received" DECIMAL(19,4) NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "fee" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "reference" TEXT,
    "status" TEXT NOT NULL DEFAULT 'completed',
    "journal_id" UUID NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "bank_transfers_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revenue_categories" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "gl_account_id" UUID NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "revenue_categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "expense_categories" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "gl_account_id" UUID NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "expense_categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "revenues" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "date" DATE NOT NULL,
    "category_id" UUID NOT NULL,
    "bank_account_id" UUID NOT NULL,
    "customer_id" UUID,
    "method" TEXT NOT NULL DEFAULT 'bank',
    "amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "tax" JSONB,
    "net" DECIMAL(19,4) NOT NULL,
    "tax_amount" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "reference" TEXT,
    "description" TEXT,
    "invoice_allocations" JSONB NOT NULL DEFAULT '[]',
    "status" TEXT NOT NULL DEFAULT 'draft',
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "posted_by" UUID,
    "posted_at" TIMESTAMPTZ(3),
    "journal_id" UUID,
    "payment_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "revenues_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "expenses" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT,
    "date" DATE NOT NULL,
    "category_id" UUID NOT NULL,
    "bank_account_id" UUID NOT NULL,
    "vendor_id" UUID,
    "project_id" UUID,
    "method" TEXT NOT NULL DEFAULT 'bank',
    "amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "tax" JSONB,
    "net" DECIMAL(19,4) NOT NULL,
    "tax_amount" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "reference" TEXT,
    "description" TEXT,
    "bill_allocations" JSONB NOT NULL DEFAULT '[]',
    "status" TEXT NOT NULL DEFAULT 'draft',
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "posted_by" UUID,
    "posted_at" TIMESTAMPTZ(3),
    "journal_id" UUID,
    "payment_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "expenses_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "payments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT NOT NULL,
    "kind" TEXT NOT NULL,
    "customer_id" UUID,
    "vendor_id" UUID,
    "date" DATE NOT NULL,
    "bank_account_id" UUID,
    "method" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "reference" TEXT,
    "status" TEXT NOT NULL DEFAULT 'posted',
    "source" TEXT NOT NULL,
    "source_id" UUID NOT NULL,
    "journal_id" UUID NOT NULL,
    "open_item_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "payments_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "account_types_workspace_id_id_key" ON "account_types"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "account_types_code_key" ON "account_types"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "gl_accounts_workspace_id_id_key" ON "gl_accounts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "gl_accounts_code_key" ON "gl_accounts"("workspace_id", "code");

-- CreateIndex
CREATE INDEX "journal_entries_workspace_id_date_idx" ON "journal_entries"("workspace_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "journal_entries_workspace_id_id_key" ON "journal_entries"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "journal_entries_workspace_id_id_line_count_date_key" ON "journal_entries"("workspace_id", "id", "line_count", "date");

-- CreateIndex
CREATE UNIQUE INDEX "journal_entries_number_key" ON "journal_entries"("workspace_id", "sequence");

-- CreateIndex
CREATE UNIQUE INDEX "journal_entries_source_key" ON "journal_entries"("workspace_id", "source_type", "source_id", "purpose");

-- CreateIndex
CREATE INDEX "journal_lines_workspace_id_account_id_date_idx" ON "journal_lines"("workspace_id", "account_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "journal_lines_workspace_id_id_key" ON "journal_lines"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "period_locks_workspace_id_id_key" ON "period_locks"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "period_locks_scope_key" ON "period_locks"("workspace_id", "scope");

-- CreateIndex
CREATE INDEX "customers_workspace_id_created_at_id_idx" ON "customers"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "customers_workspace_id_updated_at_id_idx" ON "customers"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_workspace_id_id_key" ON "customers"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "customers_code_key" ON "customers"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "customers_external_id_key" ON "customers"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "vendors_workspace_id_created_at_id_idx" ON "vendors"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "vendors_workspace_id_updated_at_id_idx" ON "vendors"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "vendors_workspace_id_id_key" ON "vendors"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "vendors_code_key" ON "vendors"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "vendors_external_id_key" ON "vendors"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "open_items_workspace_id_customer_id_date_idx" ON "open_items"("workspace_id", "customer_id", "date");

-- CreateIndex
CREATE INDEX "open_items_workspace_id_vendor_id_date_idx" ON "open_items"("workspace_id", "vendor_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "open_items_workspace_id_id_key" ON "open_items"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "open_items_document_key" ON "open_items"("workspace_id", "document_type", "document_id");

-- CreateIndex
CREATE INDEX "allocations_workspace_id_claim_id_idx" ON "allocations"("workspace_id", "claim_id");

-- CreateIndex
CREATE INDEX "allocations_workspace_id_credit_id_idx" ON "allocations"("workspace_id", "credit_id");

-- CreateIndex
CREATE UNIQUE INDEX "allocations_workspace_id_id_key" ON "allocations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "bank_accounts_workspace_id_created_at_id_idx" ON "bank_accounts"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "bank_accounts_workspace_id_id_key" ON "bank_accounts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_accounts_gl_account_id_key" ON "bank_accounts"("workspace_id", "gl_account_id");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_bank_account_id_date_sequenc_idx" ON "bank_transactions"("workspace_id", "bank_account_id", "date", "sequence", "position");

-- CreateIndex
CREATE INDEX "bank_transactions_workspace_id_created_at_id_idx" ON "bank_transactions"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "bank_transactions_workspace_id_id_key" ON "bank_transactions"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "bank_transfers_workspace_id_created_at_id_idx" ON "bank_transfers"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "bank_transfers_workspace_id_id_key" ON "bank_transfers"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "bank_transfers_number_key" ON "bank_transfers"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "revenue_categories_workspace_id_id_key" ON "revenue_categories"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "expense_categories_workspace_id_id_key" ON "expense_categories"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "revenues_workspace_id_created_at_id_idx" ON "revenues"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "revenues_workspace_id_date_idx" ON "revenues"("workspace_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "revenues_workspace_id_id_key" ON "revenues"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "revenues_number_key" ON "revenues"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "expenses_workspace_id_created_at_id_idx" ON "expenses"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "expenses_workspace_id_date_idx" ON "expenses"("workspace_id", "date");

-- CreateIndex
CREATE UNIQUE INDEX "expenses_workspace_id_id_key" ON "expenses"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "expenses_number_key" ON "expenses"("workspace_id", "number");

-- CreateIndex
CREATE INDEX "payments_workspace_id_created_at_id_idx" ON "payments"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "payments_workspace_id_id_key" ON "payments"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "payments_number_key" ON "payments"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "payments_source_key" ON "payments"("workspace_id", "source", "source_id", "method");

-- What Prisma cannot say.

ALTER TABLE "gl_accounts" ADD CONSTRAINT "gl_accounts_type_id_fkey" FOREIGN KEY ("workspace_id", "type_id") REFERENCES "account_types" ("workspace_id", "id");
ALTER TABLE "gl_accounts" ADD CONSTRAINT "gl_accounts_parent_id_fkey" FOREIGN KEY ("workspace_id", "parent_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "journal_entries" ADD CONSTRAINT "journal_entries_reversal_of_fkey" FOREIGN KEY ("workspace_id", "reversal_of") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "journal_lines" ADD CONSTRAINT "journal_lines_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "journal_lines" ADD CONSTRAINT "journal_lines_open_item_id_fkey" FOREIGN KEY ("workspace_id", "open_item_id") REFERENCES "open_items" ("workspace_id", "id");
ALTER TABLE "open_items" ADD CONSTRAINT "open_items_customer_id_fkey" FOREIGN KEY ("workspace_id", "customer_id") REFERENCES "customers" ("workspace_id", "id");
ALTER TABLE "open_items" ADD CONSTRAINT "open_items_vendor_id_fkey" FOREIGN KEY ("workspace_id", "vendor_id") REFERENCES "vendors" ("workspace_id", "id");
ALTER TABLE "open_items" ADD CONSTRAINT "open_items_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_claim_id_fkey" FOREIGN KEY ("workspace_id", "claim_id") REFERENCES "open_items" ("workspace_id", "id");
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_credit_id_fkey" FOREIGN KEY ("workspace_id", "credit_id") REFERENCES "open_items" ("workspace_id", "id");
ALTER TABLE "allocations" ADD CONSTRAINT "allocations_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_gl_account_id_fkey" FOREIGN KEY ("workspace_id", "gl_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "bank_transactions" ADD CONSTRAINT "bank_transactions_bank_account_id_fkey" FOREIGN KEY ("workspace_id", "bank_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "bank_transactions" ADD CONSTRAINT "bank_transactions_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_from_account_id_fkey" FOREIGN KEY ("workspace_id", "from_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_to_account_id_fkey" FOREIGN KEY ("workspace_id", "to_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "bank_transfers" ADD CONSTRAINT "bank_transfers_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "revenue_categories" ADD CONSTRAINT "revenue_categories_gl_account_id_fkey" FOREIGN KEY ("workspace_id", "gl_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "expense_categories" ADD CONSTRAINT "expense_categories_gl_account_id_fkey" FOREIGN KEY ("workspace_id", "gl_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
ALTER TABLE "revenues" ADD CONSTRAINT "revenues_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "revenue_categories" ("workspace_id", "id");
ALTER TABLE "revenues" ADD CONSTRAINT "revenues_bank_account_id_fkey" FOREIGN KEY ("workspace_id", "bank_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "revenues" ADD CONSTRAINT "revenues_customer_id_fkey" FOREIGN KEY ("workspace_id", "customer_id") REFERENCES "customers" ("workspace_id", "id");
ALTER TABLE "revenues" ADD CONSTRAINT "revenues_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "revenues" ADD CONSTRAINT "revenues_payment_id_fkey" FOREIGN KEY ("workspace_id", "payment_id") REFERENCES "payments" ("workspace_id", "id");
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "expense_categories" ("workspace_id", "id");
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_bank_account_id_fkey" FOREIGN KEY ("workspace_id", "bank_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_vendor_id_fkey" FOREIGN KEY ("workspace_id", "vendor_id") REFERENCES "vendors" ("workspace_id", "id");
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "expenses" ADD CONSTRAINT "expenses_payment_id_fkey" FOREIGN KEY ("workspace_id", "payment_id") REFERENCES "payments" ("workspace_id", "id");
ALTER TABLE "payments" ADD CONSTRAINT "payments_customer_id_fkey" FOREIGN KEY ("workspace_id", "customer_id") REFERENCES "customers" ("workspace_id", "id");
ALTER TABLE "payments" ADD CONSTRAINT "payments_vendor_id_fkey" FOREIGN KEY ("workspace_id", "vendor_id") REFERENCES "vendors" ("workspace_id", "id");
ALTER TABLE "payments" ADD CONSTRAINT "payments_bank_account_id_fkey" FOREIGN KEY ("workspace_id", "bank_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "payments" ADD CONSTRAINT "payments_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "payments" ADD CONSTRAINT "payments_open_item_id_fkey" FOREIGN KEY ("workspace_id", "open_item_id") REFERENCES "open_items" ("workspace_id", "id");
-- Lines belong to an entry of the same day and size: with the places 1..line_count taken, no line can be added later.
ALTER TABLE "journal_lines" ADD CONSTRAINT "journal_lines_entry_id_fkey"
  FOREIGN KEY ("workspace_id", "entry_id", "line_count", "date") REFERENCES "journal_entries" ("workspace_id", "id", "line_count", "date");

ALTER TABLE "books"
  ADD CONSTRAINT "books_base_currency_check" CHECK ("base_currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "books_fiscal_year_start_check" CHECK ("fiscal_year_start" ~ '^(0[1-9]|1[0-2])-[0-3][0-9]$'),
  ADD CONSTRAINT "books_credit_limit_check" CHECK ("credit_limit" IN ('warn', 'block')),
  ADD CONSTRAINT "books_return_effects_on_check" CHECK ("return_effects_on" IN ('complete', 'approve'));
ALTER TABLE "account_types"
  ADD CONSTRAINT "account_types_class_check" CHECK ("class" IN ('asset', 'liability', 'equity', 'revenue', 'expense')),
  ADD CONSTRAINT "account_types_normal_check" CHECK ("normal" IN ('debit', 'credit'));
ALTER TABLE "gl_accounts"
  ADD CONSTRAINT "gl_accounts_parent_check" CHECK ("parent_id" <> "id"),
  ADD CONSTRAINT "gl_accounts_group_check" CHECK (NOT ("is_group" AND "system_role" IS NOT NULL)),
  ADD CONSTRAINT "gl_accounts_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');
-- Each use has one account; only banks have as many as there are.
CREATE UNIQUE INDEX "gl_accounts_system_role_key" ON "gl_accounts" ("workspace_id", "system_role") WHERE "system_role" <> 'bank';

ALTER TABLE "journal_entries"
  ADD CONSTRAINT "journal_entries_scope_check" CHECK ("scope" IN ('all', 'sales', 'purchases', 'banking', 'payroll')),
  ADD CONSTRAINT "journal_entries_line_count_check" CHECK ("line_count" >= 2);
-- An entry is reversed once.
CREATE UNIQUE INDEX "journal_entries_reversal_of_key" ON "journal_entries" ("workspace_id", "reversal_of") WHERE "reversal_of" IS NOT NULL;
ALTER TABLE "journal_lines"
  ADD CONSTRAINT "journal_lines_position_check" CHECK ("position" BETWEEN 1 AND "line_count"),
  ADD CONSTRAINT "journal_lines_side_check" CHECK ("debit" >= 0 AND "credit" >= 0 AND ("debit" > 0) <> ("credit" > 0)),
  ADD CONSTRAINT "journal_lines_amount_check" CHECK ("amount" >= 0),
  ADD CONSTRAINT "journal_lines_rate_check" CHECK ("rate" > 0),
  ADD CONSTRAINT "journal_lines_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "journal_lines_party_check" CHECK ("party_kind" IN ('customer', 'vendor', 'employee') AND "party_id" IS NOT NULL OR "party_kind" IS NULL AND "party_id" IS NULL);
CREATE INDEX "journal_lines_open_item_id_idx" ON "journal_lines" ("workspace_id", "open_item_id", "date") WHERE "open_item_id" IS NOT NULL;
CREATE INDEX "journal_lines_party_id_idx" ON "journal_lines" ("workspace_id", "party_id", "date") WHERE "party_id" IS NOT NULL;

ALTER TABLE "period_locks"
  ADD CONSTRAINT "period_locks_scope_check" CHECK ("scope" IN ('all', 'sales', 'purchases', 'banking', 'payroll')),
  ADD CONSTRAINT "period_locks_exception_check" CHECK (("exception_until" IS NULL) = ("exception_reason" IS NULL));
ALTER TABLE "number_counters" ADD CONSTRAINT "number_counters_last_check" CHECK ("last" >= 1);
ALTER TABLE "customers"
  ADD CONSTRAINT "customers_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "customers_payment_terms_days_check" CHECK ("payment_terms_days" BETWEEN 0 AND 365),
  ADD CONSTRAINT "customers_credit_limit_check" CHECK ("credit_limit" >= 0);
ALTER TABLE "vendors"
  ADD CONSTRAINT "vendors_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "vendors_payment_terms_days_check" CHECK ("payment_terms_days" BETWEEN 0 AND 365),
  ADD CONSTRAINT "vendors_credit_limit_check" CHECK ("credit_limit" >= 0);
CREATE INDEX "customers_search_idx" ON "customers" USING gin ("search");
CREATE INDEX "vendors_search_idx" ON "vendors" USING gin ("search");

ALTER TABLE "open_items"
  ADD CONSTRAINT "open_items_kind_check" CHECK ("kind" IN ('claim', 'credit')),
  ADD CONSTRAINT "open_items_party_check" CHECK (num_nonnulls("customer_id", "vendor_id") = 1),
  ADD CONSTRAINT "open_items_amount_check" CHECK ("amount" > 0 AND "base_amount" >= 0),
  ADD CONSTRAINT "open_items_settled_check" CHECK ("settled" BETWEEN 0 AND "amount"),
  ADD CONSTRAINT "open_items_base_settled_check" CHECK ("base_settled" BETWEEN 0 AND "base_amount"),
  ADD CONSTRAINT "open_items_voided_check" CHECK (NOT "voided" OR "settled" = 0),
  ADD CONSTRAINT "open_items_rest_check" CHECK ("settled" < "amount" OR "base_settled" = "base_amount");
-- What is open now: the few that balances, ageing and pickers look at.
CREATE INDEX "open_items_open_idx" ON "open_items" ("workspace_id", "customer_id", "vendor_id", "due_date") WHERE "settled" < "amount" AND NOT "voided";
ALTER TABLE "allocations"
  ADD CONSTRAINT "allocations_amount_check" CHECK ("amount" > 0),
  ADD CONSTRAINT "allocations_base_check" CHECK ("claim_base" >= 0 AND "credit_base" >= 0),
  ADD CONSTRAINT "allocations_sides_check" CHECK ("claim_id" <> "credit_id");

ALTER TABLE "bank_accounts" ADD CONSTRAINT "bank_accounts_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');
CREATE UNIQUE INDEX "bank_accounts_account_number_key" ON "bank_accounts" ("workspace_id", "account_number") WHERE "account_number" IS NOT NULL;
ALTER TABLE "bank_transactions"
  ADD CONSTRAINT "bank_transactions_direction_check" CHECK ("direction" IN ('in', 'out')),
  ADD CONSTRAINT "bank_transactions_amount_check" CHECK ("amount" >= 0),
  ADD CONSTRAINT "bank_transactions_status_check" CHECK ("status" IN ('unreconciled', 'reconciled'));
ALTER TABLE "bank_transfers"
  ADD CONSTRAINT "bank_transfers_sides_check" CHECK ("from_account_id" <> "to_account_id"),
  ADD CONSTRAINT "bank_transfers_amount_check" CHECK ("amount" > 0 AND "received" > 0 AND "rate" > 0 AND "fee" >= 0),
  ADD CONSTRAINT "bank_transfers_status_check" CHECK ("status" IN ('completed', 'reversed'));
CREATE UNIQUE INDEX "revenue_categories_name_key" ON "revenue_categories" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "expense_categories_name_key" ON "expense_categories" ("workspace_id", lower("name"));
ALTER TABLE "revenues"
  ADD CONSTRAINT "revenues_status_check" CHECK ("status" IN ('draft', 'approved', 'posted', 'reversed')),
  ADD CONSTRAINT "revenues_number_check" CHECK ("number" IS NULL OR "status" IN ('posted', 'reversed')),
  ADD CONSTRAINT "revenues_journal_check" CHECK (("journal_id" IS NULL) = ("number" IS NULL)),
  ADD CONSTRAINT "revenues_amount_check" CHECK ("amount" > 0 AND "net" >= 0 AND "tax_amount" >= 0 AND "amount" = "net" + "tax_amount"),
  ADD CONSTRAINT "revenues_rate_check" CHECK ("rate" > 0),
  ADD CONSTRAINT "revenues_method_check" CHECK ("method" IN ('cash', 'bank', 'card', 'online', 'other'));
ALTER TABLE "expenses"
  ADD CONSTRAINT "expenses_status_check" CHECK ("status" IN ('draft', 'approved', 'posted', 'reversed')),
  ADD CONSTRAINT "expenses_number_check" CHECK ("number" IS NULL OR "status" IN ('posted', 'reversed')),
  ADD CONSTRAINT "expenses_journal_check" CHECK (("journal_id" IS NULL) = ("number" IS NULL)),
  ADD CONSTRAINT "expenses_amount_check" CHECK ("amount" > 0 AND "net" >= 0 AND "tax_amount" >= 0 AND "amount" = "net" + "tax_amount"),
  ADD CONSTRAINT "expenses_rate_check" CHECK ("rate" > 0),
  ADD CONSTRAINT "expenses_method_check" CHECK ("method" IN ('cash', 'bank', 'card', 'online', 'other'));
ALTER TABLE "payments"
  ADD CONSTRAINT "payments_kind_check" CHECK ("kind" IN ('customer', 'vendor')),
  ADD CONSTRAINT "payments_party_check" CHECK (("kind" = 'vendor') = ("vendor_id" IS NOT NULL) AND ("kind" = 'customer') >= ("customer_id" IS NOT NULL)),
  ADD CONSTRAINT "payments_till_check" CHECK ("source" = 'pos' OR num_nonnulls("customer_id", "vendor_id") = 1 AND num_nonnulls("bank_account_id", "open_item_id") = 2),
  ADD CONSTRAINT "payments_method_check" CHECK ("method" IN ('cash', 'bank', 'card', 'online', 'credit_note', 'other')),
  ADD CONSTRAINT "payments_amount_check" CHECK ("amount" > 0 AND "rate" > 0),
  ADD CONSTRAINT "payments_status_check" CHECK ("status" IN ('posted', 'reconciled', 'voided')),
  ADD CONSTRAINT "payments_source_check" CHECK ("source" IN ('revenue', 'expense', 'pos', 'gateway', 'manual'));

-- One line as text, the same before it is stored and ever after: what the hash of its entry is made of.
CREATE FUNCTION ledger_line_text(line "journal_lines") RETURNS text LANGUAGE sql STABLE AS $$
  SELECT concat_ws('|', line.position, line.date, line.account_id, line.debit, line.credit, line.currency, line.amount, line.rate,
    coalesce(line.party_kind, '-'), coalesce(line.party_id::text, '-'), coalesce(line.open_item_id::text, '-'),
    coalesce(line.tax_id::text, '-'), coalesce(line.product_id::text, '-'), coalesce(line.warehouse_id::text, '-'),
    coalesce(line.project_id::text, '-'), to_json(line.memo))
$$;

-- The hash of an entry: of the entry before it, of what it says, and of its lines.
CREATE FUNCTION ledger_hash(entry "journal_entries", lines text) RETURNS bytea LANGUAGE sql STABLE AS $$
  SELECT sha256(entry.prev_hash || convert_to(concat_ws('|', entry.workspace_id, entry.id, entry.sequence, entry.date, entry.scope,
    entry.source_type, entry.source_id, entry.purpose, to_json(entry.narration), coalesce(entry.reversal_of::text, '-'),
    entry.line_count, coalesce(entry.created_by::text, '-')) || E'\n' || lines, 'UTF8'))
$$;

-- The lock that keeps a day of a scope closed now, if any.
CREATE FUNCTION period_lock_of(workspace uuid, day date, of_scope text) RETURNS SETOF "period_locks" LANGUAGE sql STABLE AS $$
  SELECT * FROM "period_locks"
  WHERE workspace_id = workspace AND scope IN ('all', of_scope)
    AND locked_through >= day AND (exception_until IS NULL OR exception_until <= now())
  ORDER BY locked_through DESC LIMIT 1
$$;

-- Writes an entry with its lines, and the transactions of the bank accounts among them. The end of the chain is locked
-- from here to the end of the transaction: numbers follow each other, and whoever locks a period waits for the same row,
-- so that nothing slips into a period while it is being locked. Answers the lock instead of posting into a closed period.
CREATE FUNCTION ledger_post(given jsonb) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  head "ledger_heads";
  entry "journal_entries";
  closing "period_locks";
  lines "journal_lines"[];
BEGIN
  SELECT * INTO head FROM "ledger_heads" WHERE workspace_id = current_setting('suite.workspace_id')::uuid FOR UPDATE;
  IF NOT FOUND THEN RAISE EXCEPTION 'This workspace has no books.'; END IF;
  entry := jsonb_populate_record(NULL::"journal_entries", given - 'lines');
  SELECT * INTO closing FROM period_lock_of(head.workspace_id, entry.date, entry.scope);
  IF FOUND THEN
    RETURN jsonb_build_object('locked', jsonb_build_object('scope', closing.scope, 'locked_through', closing.locked_through, 'reason', closing.reason));
  END IF;
  entry.workspace_id := head.workspace_id;
  entry.sequence := head.sequence + 1;
  entry.number := 'JE-' || lpad(entry.sequence::text, greatest(6, length(entry.sequence::text)), '0');
  entry.line_count := jsonb_array_length(given -> 'lines');
  entry.prev_hash := head.hash;
  entry.created_by := suite_actor_id();
  entry.created_at := clock_timestamp();
  SELECT array_agg(jsonb_populate_record(NULL::"journal_lines", jsonb_build_object('rate', coalesce(
      round(((line.value ->> 'debit')::numeric + (line.value ->> 'credit')::numeric) / nullif((line.value ->> 'amount')::numeric, 0), 10), 1)) || line.value || jsonb_build_object(
      'workspace_id', entry.workspace_id, 'entry_id', entry.id, 'date', entry.date, 'position', line.ordinality, 'line_count', entry.line_count)) ORDER BY line.ordinality)
    INTO lines FROM jsonb_array_elements(given -> 'lines') WITH ORDINALITY AS line;
  entry.hash := ledger_hash(entry, (SELECT string_agg(ledger_line_text(line), E'\n' ORDER BY line.position) FROM unnest(lines) AS line));
  INSERT INTO "journal_entries" SELECT entry.*;
  INSERT INTO "journal_lines" SELECT * FROM unnest(lines);
  INSERT INTO "bank_transactions" (id, workspace_id, bank_account_id, journal_id, sequence, position, date, direction, amount, counterparty, reference, source_type, source_id)
    SELECT line.id, line.workspace_id, bank.id, entry.id, entry.sequence, line.position, line.date,
      CASE WHEN line.debit > 0 THEN 'in' ELSE 'out' END, line.amount, given ->> 'counterparty', given ->> 'reference', entry.source_type, entry.source_id
    FROM unnest(lines) AS line JOIN "bank_accounts" AS bank ON bank.workspace_id = line.workspace_id AND bank.gl_account_id = line.account_id;
  UPDATE "ledger_heads" SET sequence = entry.sequence, hash = entry.hash WHERE workspace_id = entry.workspace_id;
  RETURN jsonb_build_object('id', entry.id, 'number', entry.number, 'sequence', entry.sequence);
END
$$;

-- What must be true of every entry when its transaction ends, whoever wrote it.
CREATE FUNCTION ledger_check() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  refused text;
  lines text;
  before bytea;
BEGIN
  SELECT string_agg(ledger_line_text(line), E'\n' ORDER BY line.position),
    CASE
      WHEN count(line.id) <> NEW.line_count THEN 'journal_entries_line_count_check'
      WHEN sum(line.debit) <> sum(line.credit) THEN 'journal_entries_balance_check'
      WHEN EXISTS (
        SELECT FROM "journal_lines" AS one WHERE one.workspace_id = NEW.workspace_id AND one.entry_id = NEW.id
        GROUP BY one.currency HAVING sum(CASE WHEN one.debit > 0 THEN one.amount ELSE - one.amount END) <> 0)
        THEN 'journal_entries_currency_balance_check'
      WHEN bool_or(account.is_group) THEN 'journal_lines_group_check'
      WHEN NOT bool_and(account.active) AND NEW.reversal_of IS NULL THEN 'journal_lines_archived_check'
      WHEN bool_or(account.currency <> line.currency) THEN 'journal_lines_account_currency_check'
      WHEN bool_or((coalesce(account.system_role, '') IN ('receivable', 'payable', 'customer_advances', 'vendor_advances')) <> (line.open_item_id IS NOT NULL))
        THEN 'journal_lines_control_check'
    END
    INTO lines, refused
    FROM "journal_lines" AS line JOIN "gl_accounts" AS account ON account.workspace_id = line.workspace_id AND account.id = line.account_id
    WHERE line.workspace_id = NEW.workspace_id AND line.entry_id = NEW.id;
  SELECT hash INTO before FROM "journal_entries" WHERE workspace_id = NEW.workspace_id AND sequence = NEW.sequence - 1;
  IF refused IS NULL AND (NEW.hash <> ledger_hash(NEW, lines) OR NEW.prev_hash <> coalesce(before, '\x') OR (before IS NULL) <> (NEW.sequence = 1)) THEN
    refused := 'journal_entries_hash_check';
  END IF;
  IF refused IS NOT NULL THEN
    RAISE EXCEPTION 'The journal entry % is refused: %.', NEW.number, refused USING ERRCODE = 'check_violation', CONSTRAINT = refused, TABLE = 'journal_entries';
  END IF;
  RETURN NULL;
END
$$;
CREATE CONSTRAINT TRIGGER ledger_check AFTER INSERT ON "journal_entries" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW EXECUTE FUNCTION ledger_check();

-- Nothing is written into a closed period, not even past `ledger_post`.
CREATE FUNCTION ledger_period() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT FROM period_lock_of(NEW.workspace_id, NEW.date, NEW.scope)) THEN
    RAISE EXCEPTION 'The period is locked.' USING ERRCODE = 'check_violation', CONSTRAINT = 'journal_entries_period_check', TABLE = 'journal_entries';
  END IF;
  RETURN NEW;
END
$$;
CREATE TRIGGER ledger_period BEFORE INSERT ON "journal_entries" FOR EACH ROW EXECUTE FUNCTION ledger_period();

-- What is in the journal stays as it is, also for the owner of the tables.
CREATE FUNCTION ledger_keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The journal is never changed; reverse the entry.' USING ERRCODE = 'restrict_violation';
END
$$;
CREATE TRIGGER ledger_keep BEFORE UPDATE OR DELETE ON "journal_entries" FOR EACH ROW EXECUTE FUNCTION ledger_keep();
CREATE TRIGGER ledger_keep BEFORE UPDATE OR DELETE ON "journal_lines" FOR EACH ROW EXECUTE FUNCTION ledger_keep();
CREATE TRIGGER ledger_keep_all BEFORE TRUNCATE ON "journal_entries" FOR EACH STATEMENT EXECUTE FUNCTION ledger_keep();
CREATE TRIGGER ledger_keep_all BEFORE TRUNCATE ON "journal_lines" FOR EACH STATEMENT EXECUTE FUNCTION ledger_keep();

SELECT suite_record(record::regclass) FROM unnest(ARRAY[
  'account_types', 'gl_accounts', 'period_locks', 'customers', 'vendors', 'open_items', 'allocations',
  'bank_transactions', 'bank_transfers', 'revenue_categories', 'expense_categories', 'revenues', 'expenses', 'payments'
]) AS record;
SELECT suite_record('bank_accounts', 'account_number');
SELECT suite_member('books');
-- Their own record, which nothing can change: a second one would say the same.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['ledger_heads', 'number_counters', 'journal_entries', 'journal_lines']) AS plain;
SELECT suite_append_only(written_once::regclass) FROM unnest(ARRAY['journal_entries', 'journal_lines']) AS written_once;
