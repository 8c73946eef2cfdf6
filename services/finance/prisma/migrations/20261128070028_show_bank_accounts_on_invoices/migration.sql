-- AlterTable
ALTER TABLE "bank_accounts" ADD COLUMN     "on_invoices" BOOLEAN NOT NULL DEFAULT false;
