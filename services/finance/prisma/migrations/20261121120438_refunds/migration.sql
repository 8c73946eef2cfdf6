-- CreateTable
CREATE TABLE "refunds" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT NOT NULL,
    "note_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "bank_account_id" UUID NOT NULL,
    "method" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "currency" TEXT NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL DEFAULT 1,
    "reference" TEXT,
    "journal_id" UUID NOT NULL,
    "open_item_id" UUID NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "refunds_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "refunds_workspace_id_note_id_idx" ON "refunds"("workspace_id", "note_id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_workspace_id_id_key" ON "refunds"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "refunds_number_key" ON "refunds"("workspace_id", "number");

-- What Prisma cannot say.

ALTER TABLE "refunds" ADD CONSTRAINT "refunds_note_id_fkey" FOREIGN KEY ("workspace_id", "note_id") REFERENCES "notes" ("workspace_id", "id");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_bank_account_id_fkey" FOREIGN KEY ("workspace_id", "bank_account_id") REFERENCES "bank_accounts" ("workspace_id", "id");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
ALTER TABLE "refunds" ADD CONSTRAINT "refunds_open_item_id_fkey" FOREIGN KEY ("workspace_id", "open_item_id") REFERENCES "open_items" ("workspace_id", "id");
ALTER TABLE "refunds"
  ADD CONSTRAINT "refunds_method_check" CHECK ("method" IN ('cash', 'bank', 'card', 'online', 'other')),
  ADD CONSTRAINT "refunds_amount_check" CHECK ("amount" > 0),
  ADD CONSTRAINT "refunds_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "refunds_rate_check" CHECK ("rate" > 0);
SELECT suite_record('refunds');
