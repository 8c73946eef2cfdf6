-- AlterTable
ALTER TABLE "sales_invoices" ADD COLUMN     "agreed_discount" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "allow_over_invoicing" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "invoice_lines" ADD COLUMN     "agreed" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "agreements" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "currency" TEXT NOT NULL,
    "discount" JSONB,
    "lines" JSONB NOT NULL,
    "stopped_through" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "agreements_pkey" PRIMARY KEY ("workspace_id","id")
);

-- Workspace, audit and version
SELECT suite_member('agreements');

-- A proposal has one invoice at a time: a cancelled one is followed by another.
DROP INDEX "sales_invoices_proposal_id_key";
CREATE UNIQUE INDEX "sales_invoices_proposal_id_key" ON "sales_invoices" ("workspace_id", "proposal_id")
  WHERE "proposal_id" IS NOT NULL AND "status" <> 'cancelled';

-- Lines bill time, or a line of an order or proposal. Only billed time fixes their quantity and price.
ALTER TABLE "invoice_lines" DROP CONSTRAINT "invoice_lines_source_check";
ALTER TABLE "invoice_lines" ADD CONSTRAINT "invoice_lines_source_check" CHECK (("source_type" IS NULL) = ("source_id" IS NULL)
  AND ("source_type" IS NULL OR "source_type" IN ('time', 'sales_order', 'proposal')));
