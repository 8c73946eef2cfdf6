-- Names of members appear on invoices only where the workspace has chosen so.
-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "invoice_member_names" BOOLEAN NOT NULL DEFAULT false;
