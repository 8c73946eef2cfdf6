-- CreateTable
CREATE TABLE "announced_goods" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "source_id" UUID NOT NULL,
    "warehouse_id" UUID,
    "lines" JSONB NOT NULL DEFAULT '[]',
    "closed" BOOLEAN NOT NULL DEFAULT false,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "announced_goods_pkey" PRIMARY KEY ("workspace_id","source_id")
);

-- CreateIndex
CREATE INDEX "announced_goods_workspace_id_closed_idx" ON "announced_goods"("workspace_id", "closed");

-- What Prisma cannot say.

SELECT suite_confine('announced_goods');
