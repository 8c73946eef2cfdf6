-- What the letters of a workspace show.
-- AlterTable
ALTER TABLE "workspaces" ADD COLUMN     "address" TEXT,
ADD COLUMN     "letter_footer" TEXT,
ADD COLUMN     "letter_locale" TEXT,
ADD COLUMN     "logo" TEXT,
ADD COLUMN     "tax_number" TEXT;
