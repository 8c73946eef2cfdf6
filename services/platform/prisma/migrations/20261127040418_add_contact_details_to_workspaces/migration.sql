-- PDFs show how to reach their sender.
-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "contact_email" TEXT,
ADD COLUMN     "contact_phone" TEXT,
ADD COLUMN     "website" TEXT;
