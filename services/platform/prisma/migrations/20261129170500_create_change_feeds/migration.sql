-- The changes of all services in one sequence per workspace. Filled when a client asks, from the journals of the services.
-- CreateTable
CREATE TABLE "change_feeds" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "epoch" BIGINT NOT NULL,
    "last_sequence" BIGINT NOT NULL DEFAULT 0,
    "removed_sequence" BIGINT NOT NULL DEFAULT 0,
    "revision" BIGINT NOT NULL DEFAULT 0,
    "places" JSONB NOT NULL DEFAULT '{}',

    CONSTRAINT "change_feeds_pkey" PRIMARY KEY ("workspace_id")
);

-- CreateTable
CREATE TABLE "feed_changes" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sequence" BIGINT NOT NULL,
    "service" TEXT NOT NULL,
    "position" BIGINT NOT NULL,
    "number" INTEGER NOT NULL,
    "record_type" TEXT NOT NULL,
    "record_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "feed_changes_pkey" PRIMARY KEY ("workspace_id","sequence")
);

-- CreateIndex
CREATE INDEX "feed_changes_at_idx" ON "feed_changes"("at");

SELECT suite_confine('change_feeds'), suite_confine('feed_changes');
