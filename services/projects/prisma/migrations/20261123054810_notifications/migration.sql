-- AlterTable
ALTER TABLE "users" ADD COLUMN     "digest_at" TIMESTAMPTZ(3),
ADD COLUMN     "zone" TEXT;

-- CreateTable
CREATE TABLE "notification_settings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "assignment" TEXT NOT NULL,
    "mention" TEXT NOT NULL,
    "comment" TEXT NOT NULL,
    "due" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "notification_settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "notifications" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "item_id" UUID NOT NULL,
    "comment_id" UUID,
    "due_date" DATE,
    "actor_id" UUID,
    "mail_id" UUID,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notifications_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "project_id" UUID,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "notification_settings_workspace_id_id_key" ON "notification_settings"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notification_settings_workspace_id_user_id_key" ON "notification_settings"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_user_id_mail_id_idx" ON "notifications"("workspace_id", "user_id", "mail_id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_item_id_idx" ON "notifications"("workspace_id", "item_id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_comment_id_idx" ON "notifications"("workspace_id", "comment_id");

-- CreateIndex
CREATE INDEX "notifications_workspace_id_mail_id_idx" ON "notifications"("workspace_id", "mail_id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_workspace_id_id_key" ON "notifications"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "notifications_workspace_id_user_id_item_id_due_date_key" ON "notifications"("workspace_id", "user_id", "item_id", "due_date");

-- CreateIndex
CREATE INDEX "mails_workspace_id_user_id_created_at_idx" ON "mails"("workspace_id", "user_id", "created_at");

-- CreateIndex
CREATE INDEX "mails_workspace_id_project_id_idx" ON "mails"("workspace_id", "project_id");

-- CreateIndex
CREATE UNIQUE INDEX "mails_workspace_id_id_key" ON "mails"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_comment_id_fkey" FOREIGN KEY ("workspace_id", "comment_id") REFERENCES "comments"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notifications" ADD CONSTRAINT "notifications_workspace_id_mail_id_fkey" FOREIGN KEY ("workspace_id", "mail_id") REFERENCES "mails"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "notification_settings" ADD CONSTRAINT "notification_settings_check" CHECK (
  "assignment" IN ('at_once', 'daily', 'none') AND "mention" IN ('at_once', 'daily', 'none')
  AND "comment" IN ('at_once', 'daily', 'none') AND "due" IN ('at_once', 'daily', 'none'));
ALTER TABLE "notifications"
  ADD CONSTRAINT "notifications_kind_check" CHECK ("kind" IN ('assignment', 'mention', 'comment', 'due')),
  ADD CONSTRAINT "notifications_due_check" CHECK (("kind" = 'due') = ("due_date" IS NOT NULL));
ALTER TABLE "mails"
  ADD CONSTRAINT "mails_kind_check" CHECK ("kind" IN ('news', 'daily', 'invitation')),
  ADD CONSTRAINT "mails_project_check" CHECK (("kind" = 'invitation') = ("project_id" IS NOT NULL)),
  ADD CONSTRAINT "mails_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'failed', 'dropped'));
CREATE INDEX "mails_queue_idx" ON "mails" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';
-- Whose morning has come.
CREATE INDEX "users_digest_idx" ON "users" ("workspace_id", "digest_at") WHERE "status" = 'active' AND "kind" <> 'vendor';

-- Workspace, audit and version
SELECT suite_record('notification_settings');
SELECT suite_member('notifications');
SELECT suite_member('mails');
