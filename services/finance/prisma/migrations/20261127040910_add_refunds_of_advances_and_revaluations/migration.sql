-- AlterTable
ALTER TABLE "refunds" ADD COLUMN     "payment_id" UUID,
ADD COLUMN     "status" TEXT NOT NULL DEFAULT 'posted',
ALTER COLUMN "note_id" DROP NOT NULL;

-- CreateTable
CREATE TABLE "revaluations" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "date" DATE NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'posted',
    "rates" JSONB NOT NULL,
    "lines" JSONB NOT NULL,
    "gain" DECIMAL(19,4) NOT NULL,
    "loss" DECIMAL(19,4) NOT NULL,
    "journal_id" UUID,
    "reversal_journal_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "revaluations_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "revaluations_workspace_id_created_at_id_idx" ON "revaluations"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "revaluations_workspace_id_date_idx" ON "revaluations"("workspace_id", "date");

-- CreateIndex
CREATE INDEX "revaluations_workspace_id_updated_at_id_idx" ON "revaluations"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "revaluations_workspace_id_id_key" ON "revaluations"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "refunds_workspace_id_payment_id_idx" ON "refunds"("workspace_id", "payment_id");

-- Workspace, audit and version
SELECT suite_record('revaluations');

-- Constraints that Prisma cannot express.
ALTER TABLE "refunds"
  ADD CONSTRAINT "refunds_payment_id_fkey" FOREIGN KEY ("workspace_id", "payment_id") REFERENCES "payments" ("workspace_id", "id"),
  ADD CONSTRAINT "refunds_source_check" CHECK (num_nonnulls("note_id", "payment_id") = 1),
  ADD CONSTRAINT "refunds_status_check" CHECK ("status" IN ('posted', 'reversed'));

-- A day has one revaluation with effect.
CREATE UNIQUE INDEX "revaluations_date_key" ON "revaluations" ("workspace_id", "date") WHERE "status" = 'posted';
ALTER TABLE "revaluations"
  ADD CONSTRAINT "revaluations_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id"),
  ADD CONSTRAINT "revaluations_reversal_journal_id_fkey" FOREIGN KEY ("workspace_id", "reversal_journal_id") REFERENCES "journal_entries" ("workspace_id", "id"),
  ADD CONSTRAINT "revaluations_status_check" CHECK ("status" IN ('posted', 'reversed')),
  ADD CONSTRAINT "revaluations_amounts_check" CHECK ("gain" >= 0 AND "loss" >= 0),
  ADD CONSTRAINT "revaluations_entries_check" CHECK (("journal_id" IS NULL) = ("reversal_journal_id" IS NULL));

-- Workspaces with open books get the accounts of unrealised differences, too.
INSERT INTO "gl_accounts" ("id", "workspace_id", "code", "name", "type_id", "parent_id", "system_role", "updated_at")
SELECT gen_random_uuid(), parent."workspace_id", given.code, given.name, parent."type_id", parent."id", given.role, now()
FROM "gl_accounts" AS parent JOIN (VALUES
  ('4500', '4535', 'Unrealised exchange gains', 'fx_unrealised_gain'),
  ('7000', '7015', 'Unrealised exchange losses', 'fx_unrealised_loss')) AS given (parent, code, name, role) ON given.parent = parent."code"
WHERE parent."is_group" ON CONFLICT DO NOTHING;

-- An opening balance has an ID of its own, which payments name.
ALTER TABLE "open_items" DISABLE TRIGGER USER;
UPDATE "open_items" SET "document_id" = "id" WHERE "document_type" = 'opening_balance';
ALTER TABLE "open_items" ENABLE TRIGGER USER;
CREATE INDEX "open_items_opening_of_customer_idx" ON "open_items" ("workspace_id", "customer_id")
  WHERE "document_type" = 'opening_balance' AND "customer_id" IS NOT NULL;
CREATE INDEX "open_items_opening_of_vendor_idx" ON "open_items" ("workspace_id", "vendor_id")
  WHERE "document_type" = 'opening_balance' AND "vendor_id" IS NOT NULL;
