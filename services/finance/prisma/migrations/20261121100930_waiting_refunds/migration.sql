-- CreateTable
CREATE TABLE "waiting_refunds" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pos_order_id" UUID NOT NULL,
    "number" TEXT NOT NULL,
    "business_date" DATE NOT NULL,

    CONSTRAINT "waiting_refunds_pkey" PRIMARY KEY ("workspace_id","pos_order_id")
);

SELECT suite_confine('waiting_refunds');
