-- AlterTable
ALTER TABLE "notes" ALTER COLUMN "number" DROP NOT NULL,
ALTER COLUMN "open_item_id" DROP NOT NULL,
ALTER COLUMN "journal_id" DROP NOT NULL;

-- What Prisma cannot say.

ALTER TABLE "notes" ADD CONSTRAINT "notes_issued_check"
  CHECK (("number" IS NULL) = ("open_item_id" IS NULL) AND ("number" IS NULL) = ("journal_id" IS NULL));

-- A return has its note, as a draft, from its approval on.
ALTER TABLE "sales_returns"
  DROP CONSTRAINT "sales_returns_completed_check",
  ADD CONSTRAINT "sales_returns_completed_check" CHECK (("status" = 'completed') = ("journal_id" IS NOT NULL)
    AND ("status" <> 'completed' OR "credit_note_id" IS NOT NULL) AND ("status" IN ('approved', 'completed') OR "credit_note_id" IS NULL));
ALTER TABLE "purchase_returns"
  DROP CONSTRAINT "purchase_returns_completed_check",
  ADD CONSTRAINT "purchase_returns_completed_check" CHECK (("status" = 'completed') = ("journal_id" IS NOT NULL)
    AND ("status" <> 'completed' OR "debit_note_id" IS NOT NULL) AND ("status" IN ('approved', 'completed') OR "debit_note_id" IS NULL));
