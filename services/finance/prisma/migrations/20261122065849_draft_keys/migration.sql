-- AlterTable
ALTER TABLE "sales_invoices" ADD COLUMN     "draft_hash" TEXT;
