-- AlterTable
ALTER TABLE "leave_applications" ADD COLUMN     "asked_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
ADD COLUMN     "attachment_mime" TEXT,
ADD COLUMN     "reminded_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "leave_changes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "application_id" UUID NOT NULL,
    "from" DATE NOT NULL,
    "to" DATE NOT NULL,
    "half_day" TEXT NOT NULL,
    "starts_midday" BOOLEAN NOT NULL,
    "ends_midday" BOOLEAN NOT NULL,
    "days" DECIMAL(7,2) NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "leave_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leave_mails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "application_id" UUID NOT NULL,
    "employee_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "days" DATE[] DEFAULT ARRAY[]::DATE[],
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "leave_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leave_calendar_links" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "department_id" UUID,
    "name" TEXT NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "token_hint" TEXT NOT NULL,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "leave_calendar_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discarded_files" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "key" TEXT NOT NULL,
    "discarded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discarded_files_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateIndex
CREATE INDEX "leave_changes_workspace_id_application_id_idx" ON "leave_changes"("workspace_id", "application_id");

-- CreateIndex
CREATE UNIQUE INDEX "leave_changes_workspace_id_id_key" ON "leave_changes"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "leave_mails_workspace_id_application_id_idx" ON "leave_mails"("workspace_id", "application_id");

-- CreateIndex
CREATE INDEX "leave_mails_workspace_id_employee_id_idx" ON "leave_mails"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "leave_mails_workspace_id_id_key" ON "leave_mails"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "leave_calendar_links_workspace_id_token_hash_idx" ON "leave_calendar_links"("workspace_id", "token_hash");

-- CreateIndex
CREATE INDEX "leave_calendar_links_workspace_id_user_id_created_at_id_idx" ON "leave_calendar_links"("workspace_id", "user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leave_calendar_links_workspace_id_department_id_idx" ON "leave_calendar_links"("workspace_id", "department_id");

-- CreateIndex
CREATE UNIQUE INDEX "leave_calendar_links_workspace_id_id_key" ON "leave_calendar_links"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "leave_changes" ADD CONSTRAINT "leave_changes_workspace_id_application_id_fkey" FOREIGN KEY ("workspace_id", "application_id") REFERENCES "leave_applications"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_mails" ADD CONSTRAINT "leave_mails_workspace_id_application_id_fkey" FOREIGN KEY ("workspace_id", "application_id") REFERENCES "leave_applications"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_mails" ADD CONSTRAINT "leave_mails_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leave_calendar_links" ADD CONSTRAINT "leave_calendar_links_workspace_id_department_id_fkey" FOREIGN KEY ("workspace_id", "department_id") REFERENCES "departments"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

ALTER TABLE "leave_changes"
  ADD CONSTRAINT "leave_changes_dates_check" CHECK ("to" >= "from" AND "days" > 0),
  ADD CONSTRAINT "leave_changes_half_day_check" CHECK ("half_day" IN ('none', 'first', 'second'));
ALTER TABLE "leave_mails"
  ADD CONSTRAINT "leave_mails_kind_check" CHECK ("kind" IN ('requested', 'reminder', 'withdrawn', 'decided', 'returned', 'charged', 'uncharged')),
  ADD CONSTRAINT "leave_mails_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'failed', 'dropped'));
CREATE INDEX "leave_calendar_links_workspace_id_search_idx" ON "leave_calendar_links" USING gin ("workspace_id", "search");
CREATE INDEX "leave_mails_queue_idx" ON "leave_mails" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';
-- Requests of which nobody was reminded yet.
CREATE INDEX "leave_applications_reminder_idx" ON "leave_applications" ("workspace_id", "asked_at")
  WHERE "status" = 'pending' AND "approver_id" IS NOT NULL AND "reminded_at" IS NULL;
-- The documents of requests, by the links that open them.
CREATE INDEX "leave_applications_attachment_idx" ON "leave_applications" ("workspace_id", "attachment_key") WHERE "attachment_key" IS NOT NULL;

-- Workspace, audit and version
SELECT suite_member('leave_changes');
SELECT suite_member('leave_mails');
SELECT suite_record('leave_calendar_links', 'token_hash');
SELECT suite_confine('discarded_files');
SELECT suite_append_only('leave_changes');
