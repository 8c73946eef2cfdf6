-- AlterTable
ALTER TABLE "allocations" ADD COLUMN     "credit_amount" DECIMAL(19,4),
ADD COLUMN     "rate" DECIMAL(20,10);

-- What Prisma cannot say.

-- So far both sides of an allocation were in one currency. Nobody changes anything here: no version rises, nothing is logged.
ALTER TABLE "allocations" DISABLE TRIGGER USER;
UPDATE "allocations" SET "credit_amount" = "amount";
ALTER TABLE "allocations" ENABLE TRIGGER USER;
ALTER TABLE "allocations"
  ALTER COLUMN "credit_amount" SET NOT NULL,
  DROP CONSTRAINT "allocations_amount_check",
  ADD CONSTRAINT "allocations_amount_check" CHECK ("amount" > 0 AND "credit_amount" > 0),
  ADD CONSTRAINT "allocations_rate_check" CHECK (CASE WHEN "rate" IS NULL THEN "credit_amount" = "amount" ELSE "rate" > 0 END);

-- The parts of revenues and expenses say the same: at which rate, and what of the payment.
CREATE FUNCTION pg_temp.with_credit_amounts(parts jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE AS $$
  SELECT jsonb_agg(part || jsonb_build_object('rate', NULL, 'credit_amount', part -> 'amount') ORDER BY position)
  FROM jsonb_array_elements(parts) WITH ORDINALITY AS one (part, position)
$$;
ALTER TABLE "revenues" DISABLE TRIGGER USER;
UPDATE "revenues" SET "invoice_allocations" = pg_temp.with_credit_amounts("invoice_allocations") WHERE "invoice_allocations" <> '[]';
ALTER TABLE "revenues" ENABLE TRIGGER USER;
ALTER TABLE "expenses" DISABLE TRIGGER USER;
UPDATE "expenses" SET "bill_allocations" = pg_temp.with_credit_amounts("bill_allocations") WHERE "bill_allocations" <> '[]';
ALTER TABLE "expenses" ENABLE TRIGGER USER;
