-- AlterTable
ALTER TABLE "stock_sagas" ADD COLUMN     "reversal_date" TEXT NOT NULL DEFAULT '';

-- CreateTable
CREATE TABLE "tax_lines" (
    "id" UUID NOT NULL DEFAULT gen_random_uuid(),
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "entry_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "side" TEXT NOT NULL,
    "tax_id" UUID,
    "name" TEXT,
    "kind" TEXT,
    "rate" DECIMAL(19,6),
    "base" DECIMAL(19,4) NOT NULL,
    "tax" DECIMAL(19,4) NOT NULL,

    CONSTRAINT "tax_lines_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "tax_lines_workspace_id_date_idx" ON "tax_lines"("workspace_id", "date");

-- CreateIndex
CREATE INDEX "tax_lines_workspace_id_entry_id_idx" ON "tax_lines"("workspace_id", "entry_id");

-- CreateIndex
CREATE UNIQUE INDEX "tax_lines_workspace_id_id_key" ON "tax_lines"("workspace_id", "id");

-- What Prisma cannot say.

ALTER TABLE "stock_sagas" ADD CONSTRAINT "stock_sagas_reversal_date_check" CHECK ("reversal_date" ~ '^(\d{4}-\d{2}-\d{2})?$');
ALTER TABLE "tax_lines"
  ADD CONSTRAINT "tax_lines_entry_id_fkey" FOREIGN KEY ("workspace_id", "entry_id") REFERENCES "journal_entries" ("workspace_id", "id"),
  ADD CONSTRAINT "tax_lines_side_check" CHECK ("side" IN ('output', 'input')),
  ADD CONSTRAINT "tax_lines_kind_check" CHECK ("kind" IN ('percent', 'fixed', 'exempt') AND ("kind" = 'exempt') = ("tax_id" IS NULL) OR "kind" IS NULL AND "base" = 0);

-- Entries from before: each tax as it was booked, with its name, rate and base as the lines of its document keep them.
WITH booked AS (
  SELECT line."workspace_id", line."entry_id", line."date", line."tax_id",
    CASE account."system_role" WHEN 'tax_output' THEN 'output' ELSE 'input' END AS side,
    sum(CASE account."system_role" WHEN 'tax_output' THEN line."credit" - line."debit" ELSE line."debit" - line."credit" END) AS tax
  FROM "journal_lines" AS line JOIN "gl_accounts" AS account ON account."workspace_id" = line."workspace_id" AND account."id" = line."account_id"
  WHERE account."system_role" IN ('tax_output', 'tax_input') GROUP BY 1, 2, 3, 4, 5),
documents AS (
  SELECT line."workspace_id", coalesce(line."sales_invoice_id", line."purchase_invoice_id") AS id, line."taxes", coalesce(sold."rate", bought."rate") AS exchange
  FROM "invoice_lines" AS line LEFT JOIN "sales_invoices" AS sold ON sold."id" = line."sales_invoice_id"
    LEFT JOIN "purchase_invoices" AS bought ON bought."id" = line."purchase_invoice_id"
  UNION ALL SELECT line."workspace_id", coalesce(line."sales_return_id", line."purchase_return_id"), line."taxes", coalesce(sold."rate", bought."rate")
  FROM "return_lines" AS line LEFT JOIN "sales_returns" AS sold ON sold."id" = line."sales_return_id"
    LEFT JOIN "purchase_returns" AS bought ON bought."id" = line."purchase_return_id"
  UNION ALL SELECT "workspace_id", "id", jsonb_build_array("tax" || jsonb_build_object('base', "net")), "rate" FROM "revenues" WHERE "tax" IS NOT NULL
  UNION ALL SELECT "workspace_id", "id", jsonb_build_array("tax" || jsonb_build_object('base', "net")), "rate" FROM "expenses" WHERE "tax" IS NOT NULL),
known AS (
  SELECT document."workspace_id", document.id, (tax ->> 'id')::uuid AS tax_id, min(tax ->> 'name') AS name, min(tax ->> 'kind') AS kind,
    min((tax ->> 'rate')::numeric) AS rate, sum((tax ->> 'base')::numeric * document.exchange) AS base
  FROM documents AS document CROSS JOIN LATERAL jsonb_array_elements(document."taxes") AS tax GROUP BY 1, 2, 3)
INSERT INTO "tax_lines" ("workspace_id", "entry_id", "date", "side", "tax_id", "name", "kind", "rate", "base", "tax")
SELECT booked."workspace_id", booked."entry_id", booked."date", booked.side, booked."tax_id", known.name, known.kind, known.rate,
  CASE WHEN known.kind IS NULL THEN 0 ELSE round(known.base, 4) * sign(booked.tax) END, booked.tax
FROM booked JOIN "journal_entries" AS entry ON entry."workspace_id" = booked."workspace_id" AND entry."id" = booked."entry_id"
  LEFT JOIN known ON known."workspace_id" = booked."workspace_id" AND known.id = entry."source_id" AND known.tax_id = booked."tax_id";

SELECT suite_confine('tax_lines');
