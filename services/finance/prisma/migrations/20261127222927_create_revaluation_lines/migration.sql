-- Balances of revaluations in a table of their own: a workspace with thousands of open documents reads them in pages.

-- CreateTable
CREATE TABLE "revaluation_lines" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "revaluation_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "kind" TEXT NOT NULL,
    "account_id" UUID NOT NULL,
    "open_item_id" UUID,
    "currency" TEXT NOT NULL,
    "amount" DECIMAL(19,4) NOT NULL,
    "base_before" DECIMAL(19,4) NOT NULL,
    "base_after" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "revaluation_lines_pkey" PRIMARY KEY ("workspace_id","revaluation_id","position")
);

-- The document of an open item identifies it.
INSERT INTO "revaluation_lines" ("workspace_id", "revaluation_id", "position", "kind", "account_id", "open_item_id", "currency", "amount", "base_before", "base_after")
SELECT run."workspace_id", run."id", line.position, line.value ->> 'kind', (line.value ->> 'account_id')::uuid, item."id", line.value ->> 'currency',
  (line.value ->> 'amount')::numeric, (line.value ->> 'base_before')::numeric, (line.value ->> 'base_after')::numeric
FROM "revaluations" AS run CROSS JOIN jsonb_array_elements(run."lines") WITH ORDINALITY AS line (value, position)
  LEFT JOIN "open_items" AS item ON item."workspace_id" = run."workspace_id"
    AND item."document_type" = line.value ->> 'document_type' AND item."document_id" = (line.value ->> 'document_id')::uuid;

-- AlterTable
ALTER TABLE "revaluations" DROP COLUMN "lines";

-- Written once, with the revaluation, which can be stored after its lines.
SELECT suite_confine('revaluation_lines');
SELECT suite_append_only('revaluation_lines');
ALTER TABLE "revaluation_lines"
  ADD CONSTRAINT "revaluation_lines_revaluation_id_fkey" FOREIGN KEY ("workspace_id", "revaluation_id") REFERENCES "revaluations" ("workspace_id", "id")
    DEFERRABLE INITIALLY DEFERRED,
  ADD CONSTRAINT "revaluation_lines_account_id_fkey" FOREIGN KEY ("workspace_id", "account_id") REFERENCES "gl_accounts" ("workspace_id", "id"),
  ADD CONSTRAINT "revaluation_lines_open_item_id_fkey" FOREIGN KEY ("workspace_id", "open_item_id") REFERENCES "open_items" ("workspace_id", "id"),
  ADD CONSTRAINT "revaluation_lines_kind_check" CHECK (("kind" = 'bank_account') = ("open_item_id" IS NULL) AND "kind" IN ('bank_account', 'receivable', 'payable'));

-- Workspaces with open books get the adjustment accounts, and the accounts of unrealised differences if another account
-- had their code. Each gets the first free code after the usual one. They are inserted one after the other, so that no two
-- accounts get the same code.
DO $$
DECLARE
  missing record;
BEGIN
  FOR missing IN
    SELECT beside."workspace_id", beside."type_id", beside."parent_id", given.code, given.name, given.role
    FROM "gl_accounts" AS beside JOIN (VALUES
      ('receivable', 1115, 'Revaluation of receivables', 'receivable_revaluation'),
      ('payable', 2015, 'Revaluation of payables', 'payable_revaluation'),
      ('fx_gain', 4535, 'Unrealised exchange gains', 'fx_unrealised_gain'),
      ('fx_loss', 7015, 'Unrealised exchange losses', 'fx_unrealised_loss')) AS given (beside, code, name, role) ON given.beside = beside."system_role"
    WHERE NOT EXISTS (SELECT FROM "gl_accounts" AS own WHERE own."workspace_id" = beside."workspace_id" AND own."system_role" = given.role)
  LOOP
    INSERT INTO "gl_accounts" ("id", "workspace_id", "code", "name", "type_id", "parent_id", "system_role", "updated_at")
    SELECT gen_random_uuid(), missing."workspace_id", free.code::text, missing.name, missing."type_id", missing."parent_id", missing.role, now()
    FROM generate_series(missing.code, missing.code + 99999) AS free (code)
    WHERE NOT EXISTS (SELECT FROM "gl_accounts" AS other WHERE other."workspace_id" = missing."workspace_id" AND other."code" = free.code::text)
    ORDER BY free.code LIMIT 1;
  END LOOP;
END
$$;
