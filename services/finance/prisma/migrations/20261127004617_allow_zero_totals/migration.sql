-- DropIndex
DROP INDEX "purchase_invoices_vendor_reference_key";

-- What Prisma cannot say.

-- The number of a cancelled bill can be used again, by the corrected one.
CREATE UNIQUE INDEX "purchase_invoices_vendor_reference_key" ON "purchase_invoices" ("workspace_id", "vendor_id", "vendor_reference")
  WHERE "status" <> 'cancelled';

-- One account number can have several currencies.
DROP INDEX "bank_accounts_account_number_key";
CREATE UNIQUE INDEX "bank_accounts_account_number_key" ON "bank_accounts" ("workspace_id", "account_number", "currency")
  WHERE "account_number" IS NOT NULL;

-- A document with a total of zero has an open item of zero. It has an entry only if its goods have a cost.
ALTER TABLE "open_items"
  DROP CONSTRAINT "open_items_amount_check",
  ADD CONSTRAINT "open_items_amount_check" CHECK ("amount" >= 0 AND "base_amount" >= 0);
ALTER TABLE "sales_invoices"
  DROP CONSTRAINT "sales_invoices_posted_check",
  ADD CONSTRAINT "sales_invoices_posted_check" CHECK (("status" = 'draft') = ("number" IS NULL) AND ("number" IS NULL) = ("posted_at" IS NULL)
    AND (("number" IS NULL) = ("journal_id" IS NULL) OR "total" = 0 AND "journal_id" IS NULL));
ALTER TABLE "purchase_invoices"
  DROP CONSTRAINT "purchase_invoices_posted_check",
  ADD CONSTRAINT "purchase_invoices_posted_check" CHECK (("status" = 'draft') = ("number" IS NULL) AND ("number" IS NULL) = ("posted_at" IS NULL)
    AND (("number" IS NULL) = ("journal_id" IS NULL) OR "total" = 0 AND "journal_id" IS NULL));
ALTER TABLE "notes"
  DROP CONSTRAINT "notes_total_check",
  ADD CONSTRAINT "notes_total_check" CHECK ("total" >= 0 AND "total" = "net_total" + "tax_total"),
  DROP CONSTRAINT "notes_issued_check",
  ADD CONSTRAINT "notes_issued_check" CHECK (("number" IS NULL) = ("open_item_id" IS NULL)
    AND (("number" IS NULL) = ("journal_id" IS NULL) OR "total" = 0 AND "journal_id" IS NULL));
ALTER TABLE "sales_returns"
  DROP CONSTRAINT "sales_returns_completed_check",
  ADD CONSTRAINT "sales_returns_completed_check" CHECK ((("status" = 'completed') = ("journal_id" IS NOT NULL) OR "total" = 0 AND "journal_id" IS NULL)
    AND ("status" <> 'completed' OR "credit_note_id" IS NOT NULL) AND ("status" IN ('approved', 'completed') OR "credit_note_id" IS NULL));
ALTER TABLE "purchase_returns"
  DROP CONSTRAINT "purchase_returns_completed_check",
  ADD CONSTRAINT "purchase_returns_completed_check" CHECK ((("status" = 'completed') = ("journal_id" IS NOT NULL) OR "total" = 0 AND "journal_id" IS NULL)
    AND ("status" <> 'completed' OR "debit_note_id" IS NOT NULL) AND ("status" IN ('approved', 'completed') OR "debit_note_id" IS NULL));
