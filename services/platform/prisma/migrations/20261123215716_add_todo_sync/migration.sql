-- To-do lists at calendar servers: when they are synchronized, and what lies there.
-- CreateTable
CREATE TABLE "todo_syncs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "claim" UUID,
    "sync_token" TEXT,
    "mark" TEXT,
    "refused" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "todo_syncs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "todo_items" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sync_id" UUID NOT NULL,
    "task_id" UUID NOT NULL,
    "source" TEXT NOT NULL,
    "href" TEXT NOT NULL,
    "etag" TEXT,
    "version" INTEGER NOT NULL,
    "group" TEXT NOT NULL,
    "agreed" JSONB NOT NULL,
    "over_since" TIMESTAMPTZ(3),

    CONSTRAINT "todo_items_pkey" PRIMARY KEY ("workspace_id","sync_id","task_id")
);

-- CreateTable
CREATE TABLE "todo_removals" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "calendar_url" TEXT NOT NULL,
    "secrets_sealed" TEXT NOT NULL,
    "items" JSONB NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "todo_removals_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "todo_syncs_workspace_id_id_key" ON "todo_syncs"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "todo_removals_workspace_id_user_id_idx" ON "todo_removals"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "todo_removals_workspace_id_id_key" ON "todo_removals"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "todo_syncs" ADD CONSTRAINT "todo_syncs_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "integrations"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "todo_items" ADD CONSTRAINT "todo_items_workspace_id_sync_id_fkey" FOREIGN KEY ("workspace_id", "sync_id") REFERENCES "todo_syncs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "todo_removals" ADD CONSTRAINT "todo_removals_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

ALTER TABLE todo_items
  ADD CONSTRAINT todo_items_source CHECK (source IN ('projects', 'crm'));
-- The schedules look for what is due in each workspace.
CREATE INDEX todo_syncs_due ON todo_syncs (workspace_id, next_attempt_at, id);
CREATE INDEX todo_removals_due ON todo_removals (workspace_id, next_attempt_at, id);

-- How far a synchronization has come is no decision of anybody; what tasks say is in the log of their own service.
SELECT suite_confine('todo_syncs'), suite_confine('todo_items'), suite_confine('todo_removals');
