-- AlterTable
ALTER TABLE "sales_invoices" ADD COLUMN     "agent_id" UUID;

-- CreateTable
CREATE TABLE "commission_plans" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "base" TEXT NOT NULL,
    "trigger" TEXT NOT NULL,
    "rate" DECIMAL(9,6),
    "fixed_amount" DECIMAL(19,4),
    "tiers" JSONB,
    "min" DECIMAL(19,4),
    "max" DECIMAL(19,4),
    "valid_from" DATE,
    "valid_to" DATE,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "commission_plans_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "agents" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "code" TEXT NOT NULL,
    "plan_id" UUID NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "agents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commission_terms" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "invoice_id" UUID NOT NULL,
    "agent_id" UUID NOT NULL,
    "plan_id" UUID,
    "trigger" TEXT,
    "terms" JSONB,
    "currency" TEXT NOT NULL,
    "earned_base" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "earned" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "commission_terms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commission_lines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "agent_id" UUID NOT NULL,
    "invoice_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'accrued',
    "currency" TEXT NOT NULL,
    "base_amount" DECIMAL(19,4) NOT NULL,
    "rate" DECIMAL(9,6),
    "amount" DECIMAL(19,4) NOT NULL,
    "reversed" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "paid_by" UUID,
    "paid_at" TIMESTAMPTZ(3),
    "bank_account_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "commission_lines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "commission_moves" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "line_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "journal_id" UUID NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "commission_moves_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "commission_plans_workspace_id_created_at_id_idx" ON "commission_plans"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "commission_plans_workspace_id_id_key" ON "commission_plans"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "agents_workspace_id_created_at_id_idx" ON "agents"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "agents_workspace_id_user_id_idx" ON "agents"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "agents_workspace_id_id_key" ON "agents"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "agents_code_key" ON "agents"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "commission_terms_workspace_id_id_key" ON "commission_terms"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "commission_terms_invoice_id_key" ON "commission_terms"("workspace_id", "invoice_id");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_created_at_id_idx" ON "commission_lines"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_agent_id_date_idx" ON "commission_lines"("workspace_id", "agent_id", "date");

-- CreateIndex
CREATE INDEX "commission_lines_workspace_id_invoice_id_idx" ON "commission_lines"("workspace_id", "invoice_id");

-- CreateIndex
CREATE UNIQUE INDEX "commission_lines_workspace_id_id_key" ON "commission_lines"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "commission_moves_workspace_id_line_id_date_idx" ON "commission_moves"("workspace_id", "line_id", "date");

-- CreateIndex
CREATE INDEX "commission_moves_workspace_id_journal_id_idx" ON "commission_moves"("workspace_id", "journal_id");

-- CreateIndex
CREATE UNIQUE INDEX "commission_moves_workspace_id_id_key" ON "commission_moves"("workspace_id", "id");

-- What Prisma cannot say.

ALTER TABLE "sales_invoices" ADD CONSTRAINT "sales_invoices_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agents" ("workspace_id", "id");
CREATE INDEX "sales_invoices_agent_id_idx" ON "sales_invoices" ("workspace_id", "agent_id") WHERE "agent_id" IS NOT NULL;
ALTER TABLE "agents" ADD CONSTRAINT "agents_plan_id_fkey" FOREIGN KEY ("workspace_id", "plan_id") REFERENCES "commission_plans" ("workspace_id", "id");
ALTER TABLE "commission_terms" ADD CONSTRAINT "commission_terms_invoice_id_fkey" FOREIGN KEY ("workspace_id", "invoice_id") REFERENCES "sales_invoices" ("workspace_id", "id");
ALTER TABLE "commission_terms" ADD CONSTRAINT "commission_terms_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agents" ("workspace_id", "id");
ALTER TABLE "commission_terms" ADD CONSTRAINT "commission_terms_plan_id_fkey" FOREIGN KEY ("workspace_id", "plan_id") REFERENCES "commission_plans" ("workspace_id", "id");
ALTER TABLE "commission_lines" ADD CONSTRAINT "commission_lines_agent_id_fkey" FOREIGN KEY ("workspace_id", "agent_id") REFERENCES "agents" ("workspace_id", "id");
ALTER TABLE "commission_lines" ADD CONSTRAINT "commission_lines_invoice_id_fkey" FOREIGN KEY ("workspace_id", "invoice_id") REFERENCES "sales_invoices" ("workspace_id", "id");
ALTER TABLE "commission_lines" ADD CONSTRAINT "commission_lines_bank_account_id_fkey" FOREIGN KEY ("workspace_id", "bank_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "commission_moves" ADD CONSTRAINT "commission_moves_line_id_fkey" FOREIGN KEY ("workspace_id", "line_id") REFERENCES "commission_lines" ("workspace_id", "id");
ALTER TABLE "commission_moves" ADD CONSTRAINT "commission_moves_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");

CREATE UNIQUE INDEX "commission_plans_name_key" ON "commission_plans" ("workspace_id", lower("name"));
ALTER TABLE "commission_plans"
  ADD CONSTRAINT "commission_plans_type_check" CHECK ("type" IN ('percent', 'fixed', 'tiered', 'hybrid')),
  ADD CONSTRAINT "commission_plans_base_check" CHECK ("base" IN ('gross', 'net', 'margin')),
  ADD CONSTRAINT "commission_plans_trigger_check" CHECK ("trigger" IN ('posting', 'payment')),
  ADD CONSTRAINT "commission_plans_rate_check" CHECK ("rate" BETWEEN 0 AND 100),
  ADD CONSTRAINT "commission_plans_amounts_check" CHECK ("fixed_amount" >= 0 AND "min" >= 0 AND "max" >= 0 AND "min" <= "max"),
  ADD CONSTRAINT "commission_plans_terms_check" CHECK (CASE "type"
    WHEN 'percent' THEN "rate" IS NOT NULL AND "fixed_amount" IS NULL AND "tiers" IS NULL
    WHEN 'fixed' THEN "rate" IS NULL AND "fixed_amount" IS NOT NULL AND "tiers" IS NULL
    WHEN 'tiered' THEN "rate" IS NULL AND "fixed_amount" IS NULL AND "tiers" IS NOT NULL
    ELSE "fixed_amount" IS NOT NULL AND num_nonnulls("rate", "tiers") = 1 END),
  ADD CONSTRAINT "commission_plans_valid_to_check" CHECK ("valid_from" < "valid_to");

ALTER TABLE "commission_terms"
  ADD CONSTRAINT "commission_terms_plan_check" CHECK (num_nonnulls("plan_id", "trigger", "terms") IN (0, 3)),
  ADD CONSTRAINT "commission_terms_earned_check" CHECK ("earned" >= 0 AND ("plan_id" IS NOT NULL OR "earned" = 0));

ALTER TABLE "commission_lines"
  ADD CONSTRAINT "commission_lines_kind_check" CHECK ("kind" IN ('accrual', 'clawback')),
  ADD CONSTRAINT "commission_lines_amount_check" CHECK (CASE "kind" WHEN 'accrual' THEN "amount" > 0 ELSE "amount" < 0 END),
  ADD CONSTRAINT "commission_lines_reversed_check" CHECK ("reversed" BETWEEN 0 AND greatest("amount", 0)),
  ADD CONSTRAINT "commission_lines_status_check" CHECK ("status" IN ('accrued', 'approved', 'paid', 'reversed')),
  ADD CONSTRAINT "commission_lines_state_check" CHECK (("status" = 'reversed') = ("reversed" = "amount")),
  ADD CONSTRAINT "commission_lines_paid_check" CHECK (("status" = 'paid') = ("paid_at" IS NOT NULL));
-- What is still to be approved or paid: the few lines that a return or a voided payment takes from.
CREATE INDEX "commission_lines_open_idx" ON "commission_lines" ("workspace_id", "agent_id") WHERE "status" IN ('accrued', 'approved');

ALTER TABLE "commission_moves"
  ADD CONSTRAINT "commission_moves_kind_check" CHECK ("kind" IN ('accrual', 'adjustment', 'reversal', 'payment')),
  ADD CONSTRAINT "commission_moves_amount_check" CHECK (CASE "kind" WHEN 'accrual' THEN "amount" > 0 WHEN 'payment' THEN "amount" <> 0 ELSE "amount" < 0 END);
-- A line begins once, and is paid once.
CREATE UNIQUE INDEX "commission_moves_accrual_key" ON "commission_moves" ("workspace_id", "line_id") WHERE "kind" IN ('accrual', 'adjustment');
CREATE UNIQUE INDEX "commission_moves_payment_key" ON "commission_moves" ("workspace_id", "line_id") WHERE "kind" = 'payment';

SELECT suite_record(record::regclass) FROM unnest(ARRAY['commission_plans', 'agents', 'commission_terms', 'commission_lines']) AS record;
SELECT suite_confine('commission_moves');
SELECT suite_append_only('commission_moves');
