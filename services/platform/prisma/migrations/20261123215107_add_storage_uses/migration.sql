-- CreateTable
CREATE TABLE "storage_uses" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "service" TEXT NOT NULL,
    "bytes" BIGINT NOT NULL,

    CONSTRAINT "storage_uses_pkey" PRIMARY KEY ("workspace_id","service")
);

ALTER TABLE "storage_uses" ADD CONSTRAINT "storage_uses_bytes_check" CHECK (bytes >= 0);

-- Confined, and not audited: reports come each minute, and what they count leaves its own records.
SELECT suite_confine('storage_uses');
