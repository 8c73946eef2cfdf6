-- AlterTable
ALTER TABLE "revenues" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'income';
ALTER TABLE "expenses" ADD COLUMN     "kind" TEXT NOT NULL DEFAULT 'expense';

-- What settles invoices or bills is a payment already.
UPDATE "revenues" SET "kind" = 'payment' WHERE jsonb_array_length("invoice_allocations") > 0;
UPDATE "expenses" SET "kind" = 'payment' WHERE jsonb_array_length("bill_allocations") > 0;
ALTER TABLE "revenues" ALTER COLUMN "kind" DROP DEFAULT,
  ADD CONSTRAINT "revenues_kind_check" CHECK ("kind" = 'income' OR "kind" = 'payment' AND "customer_id" IS NOT NULL);
ALTER TABLE "expenses" ALTER COLUMN "kind" DROP DEFAULT,
  ADD CONSTRAINT "expenses_kind_check" CHECK ("kind" = 'expense' OR "kind" = 'payment' AND "vendor_id" IS NOT NULL);
