-- A line on agreed terms can bill more than remains of its order line. Its figures are then no share, but they still count.
-- AlterTable
ALTER TABLE "invoice_lines" ADD COLUMN     "agreed_terms" BOOLEAN NOT NULL DEFAULT false;

-- A share of an agreed line is on its terms. Which other lines are cannot be seen from the row.
UPDATE "invoice_lines" SET "agreed_terms" = true WHERE "agreed";
