-- AlterTable
ALTER TABLE "waiting_refunds" DROP CONSTRAINT "waiting_refunds_pkey",
ADD COLUMN     "event" JSONB NOT NULL DEFAULT '{}',
ADD COLUMN     "refund_id" UUID NOT NULL DEFAULT gen_random_uuid(),
ADD CONSTRAINT "waiting_refunds_pkey" PRIMARY KEY ("workspace_id", "pos_order_id", "refund_id");
