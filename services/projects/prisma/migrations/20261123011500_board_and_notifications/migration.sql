-- New cards lie behind all others, or before them: each rank is given once.
CREATE SEQUENCE "board_rank";
GRANT USAGE ON SEQUENCE "board_rank" TO suite_confined, suite_everywhere;

-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'UTC';

-- CreateTable
CREATE TABLE "notification_settings" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "assignment" TEXT NOT NULL DEFAULT 'at_once',
    "mention" TEXT NOT NULL DEFAULT 'at_once',
    "comment" TEXT NOT NULL DEFAULT 'daily',
    "due" TEXT NOT NULL DEFAULT 'daily',

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("workspace_id","user_id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "comment_id" UUID,
    "event" TEXT NOT NULL,
    "actor_id" UUID,
    "due_date" DATE,
    "daily" BOOLEAN NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "failure" TEXT,
    "sent_at" TIMESTAMPTZ(3),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notifications_workspace_id_id_key" ON "notifications"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_user_id_idx" ON "notifications"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_workspace_id_item_id_user_id_event_due_date_key" ON "notifications"("workspace_id", "item_id", "user_id", "event", "due_date");

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_comment_id_fkey" FOREIGN KEY ("workspace_id", "comment_id") REFERENCES "comments"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

CREATE INDEX "notifications_due_idx" ON "notifications" ("next_attempt_at") WHERE "delivery" = 'queued';
CREATE INDEX "work_items_series_idx" ON "work_items" ("workspace_id", "due_date") WHERE "recurrence" IS NOT NULL;

ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_choices_check" CHECK (
  "assignment" IN ('at_once', 'daily', 'none') AND "mention" IN ('at_once', 'daily', 'none')
  AND "comment" IN ('at_once', 'daily', 'none') AND "due" IN ('at_once', 'daily', 'none'));
ALTER TABLE "notifications"
  ADD CONSTRAINT "notifications_event_check" CHECK ("event" IN ('assignment', 'mention', 'comment', 'due')),
  ADD CONSTRAINT "notifications_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'failed', 'dropped'));

-- Workspace, audit and version
SELECT suite_member('notification_settings');
-- A queue of our own: confined, and not audited.
SELECT suite_confine('notifications');

-- The version of a project is about what people change in it: numbers and progress that its tasks change make nobody's sight of
-- it stale.
CREATE OR REPLACE TRIGGER suite_touch BEFORE UPDATE ON "projects" FOR EACH ROW
  WHEN ((OLD.last_number, OLD.countable_tasks, OLD.completed_tasks) IS NOT DISTINCT FROM (NEW.last_number, NEW.countable_tasks, NEW.completed_tasks))
  EXECUTE FUNCTION suite_touch();
CREATE OR REPLACE TRIGGER suite_touch BEFORE UPDATE ON "milestones" FOR EACH ROW
  WHEN ((OLD.countable_tasks, OLD.completed_tasks) IS NOT DISTINCT FROM (NEW.countable_tasks, NEW.completed_tasks))
  EXECUTE FUNCTION suite_touch();
