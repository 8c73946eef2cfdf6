-- AlterTable
ALTER TABLE "invoice_lines" ADD COLUMN     "source_id" UUID,
ADD COLUMN     "source_type" TEXT;

-- What Prisma cannot say.
ALTER TABLE "invoice_lines"
  ADD CONSTRAINT "invoice_lines_source_check" CHECK (("source_type" IS NULL) = ("source_id" IS NULL) AND "source_type" IN ('time'));
