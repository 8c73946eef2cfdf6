-- AlterTable
ALTER TABLE "employee_loans" ADD COLUMN     "currency" CHAR(3);

-- So far loans were in the currency of the workspace: that of its settings, or of a run that was approved without a rate. Where
-- neither is known, nothing was taken of a loan yet. Nobody changes anything here: no version rises, nothing is logged.
ALTER TABLE "employee_loans" DISABLE TRIGGER USER;
UPDATE "employee_loans" SET "currency" = coalesce(
  (SELECT "currency" FROM "settings" WHERE "settings"."workspace_id" = "employee_loans"."workspace_id"),
  (SELECT "currency" FROM "payrolls" WHERE "payrolls"."workspace_id" = "employee_loans"."workspace_id"
    AND "number" IS NOT NULL AND "rate" IS NULL ORDER BY "created_at" DESC LIMIT 1));
ALTER TABLE "employee_loans" ENABLE TRIGGER USER;
ALTER TABLE "employee_loans" ADD CONSTRAINT "employee_loans_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$');
