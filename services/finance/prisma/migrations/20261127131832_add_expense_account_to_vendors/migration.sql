-- A vendor names the account of its usual expenses, so that bill lines without a product are posted to it.
-- AlterTable
ALTER TABLE "vendors" ADD COLUMN     "expense_account_id" UUID;

ALTER TABLE "vendors" ADD CONSTRAINT "vendors_expense_account_id_fkey" FOREIGN KEY ("workspace_id", "expense_account_id") REFERENCES "gl_accounts" ("workspace_id", "id");
