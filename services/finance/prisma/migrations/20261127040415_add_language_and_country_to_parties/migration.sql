-- PDFs are written in the language of their recipient, and name the country of the address.
-- AlterTable
ALTER TABLE "customers" ADD COLUMN     "country" TEXT,
ADD COLUMN     "language" TEXT;

-- AlterTable
ALTER TABLE "vendors" ADD COLUMN     "country" TEXT,
ADD COLUMN     "language" TEXT;
