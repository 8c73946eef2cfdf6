-- E-mails of a workspace are counted against an allowance, name an address for answers and link to its own pages.
-- AlterTable
ALTER TABLE "plans" ADD COLUMN     "email_limit" INTEGER;

-- AlterTable
ALTER TABLE "plan_settings" ADD COLUMN     "email_limit" INTEGER NOT NULL DEFAULT 1000;

-- AlterTable
ALTER TABLE "entitlements" ADD COLUMN     "emails_full_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "email_reply_to" TEXT,
ADD COLUMN     "links" JSONB NOT NULL DEFAULT '{}';

ALTER TABLE "plans" ADD CONSTRAINT "plans_email_limit_check" CHECK ("email_limit" > 0);
ALTER TABLE "plan_settings" ADD CONSTRAINT "plan_settings_email_limit_check" CHECK ("email_limit" > 0);
