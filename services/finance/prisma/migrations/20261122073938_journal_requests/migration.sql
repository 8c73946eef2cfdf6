-- CreateTable
CREATE TABLE "journal_requests" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "key" TEXT NOT NULL,
    "content_hash" TEXT NOT NULL,
    "journal_id" UUID NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "journal_requests_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateIndex
CREATE INDEX "journal_requests_workspace_id_journal_id_idx" ON "journal_requests"("workspace_id", "journal_id");

-- What Prisma cannot say.

ALTER TABLE "journal_requests" ADD CONSTRAINT "journal_requests_journal_id_fkey" FOREIGN KEY ("workspace_id", "journal_id") REFERENCES "journal_entries" ("workspace_id", "id");
SELECT suite_confine('journal_requests');
SELECT suite_append_only('journal_requests');
