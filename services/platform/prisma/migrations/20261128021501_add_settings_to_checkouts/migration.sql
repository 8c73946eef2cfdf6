-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "books_revision" INTEGER NOT NULL DEFAULT 0;

-- AlterTable
ALTER TABLE "checkout_sessions" ADD COLUMN     "base_currency" TEXT,
ADD COLUMN     "fiscal_year_start" TEXT,
ADD COLUMN     "week_start" SMALLINT;
