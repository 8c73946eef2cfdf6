-- AlterTable
ALTER TABLE "announcements" ADD COLUMN     "audience" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "checked_on" DATE;

-- AlterTable
ALTER TABLE "hrm_documents" ADD COLUMN     "audience" UUID[] DEFAULT ARRAY[]::UUID[],
ADD COLUMN     "checked_on" DATE;

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "audience" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "notice_mails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "announcement_id" UUID,
    "document_id" UUID,
    "event_id" UUID,
    "employee_id" UUID NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "notice_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "notice_mails_workspace_id_announcement_id_employee_id_idx" ON "notice_mails"("workspace_id", "announcement_id", "employee_id");

-- CreateIndex
CREATE INDEX "notice_mails_workspace_id_document_id_employee_id_idx" ON "notice_mails"("workspace_id", "document_id", "employee_id");

-- CreateIndex
CREATE INDEX "notice_mails_workspace_id_event_id_employee_id_idx" ON "notice_mails"("workspace_id", "event_id", "employee_id");

-- CreateIndex
CREATE INDEX "notice_mails_workspace_id_employee_id_idx" ON "notice_mails"("workspace_id", "employee_id");

-- CreateIndex
CREATE UNIQUE INDEX "notice_mails_workspace_id_id_key" ON "notice_mails"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "announcements_workspace_id_updated_at_id_idx" ON "announcements"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "hrm_documents_workspace_id_updated_at_id_idx" ON "hrm_documents"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_updated_at_id_idx" ON "events"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "acknowledgments_workspace_id_updated_at_id_idx" ON "acknowledgments"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE INDEX "events_workspace_id_start_id_idx" ON "events"("workspace_id", "start", "id");

-- AddForeignKey
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_workspace_id_announcement_id_fkey" FOREIGN KEY ("workspace_id", "announcement_id") REFERENCES "announcements"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_workspace_id_document_id_fkey" FOREIGN KEY ("workspace_id", "document_id") REFERENCES "hrm_documents"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_workspace_id_event_id_fkey" FOREIGN KEY ("workspace_id", "event_id") REFERENCES "events"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "notice_mails" ADD CONSTRAINT "notice_mails_workspace_id_employee_id_fkey" FOREIGN KEY ("workspace_id", "employee_id") REFERENCES "employees"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Workspace. A queue of work: what it tells of is audited in its own tables.
SELECT suite_confine('notice_mails');

ALTER TABLE "notice_mails"
  ADD CONSTRAINT "notice_mails_of_check" CHECK (num_nonnulls("announcement_id", "document_id", "event_id") = 1),
  ADD CONSTRAINT "notice_mails_kind_check" CHECK ("kind" IN ('published', 'changed', 'cancelled', 'reminder')),
  ADD CONSTRAINT "notice_mails_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'failed', 'dropped'));
CREATE INDEX "notice_mails_queue_idx" ON "notice_mails" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';
-- That something is published, each is told once.
CREATE UNIQUE INDEX "notice_mails_announcement_key" ON "notice_mails" ("workspace_id", "announcement_id", "employee_id") WHERE "kind" = 'published';
CREATE UNIQUE INDEX "notice_mails_document_key" ON "notice_mails" ("workspace_id", "document_id", "employee_id") WHERE "kind" = 'published';
CREATE UNIQUE INDEX "notice_mails_event_key" ON "notice_mails" ("workspace_id", "event_id", "employee_id") WHERE "kind" = 'published';
-- Homes show what is shown newest first, and schedules look for what becomes due.
CREATE INDEX "announcements_shown_idx" ON "announcements" ("workspace_id", "published_at", "id") WHERE "status" = 'published';
CREATE INDEX "hrm_documents_shown_idx" ON "hrm_documents" ("workspace_id", "published_at", "id") WHERE "status" = 'published';
CREATE INDEX "events_due_idx" ON "events" ("workspace_id", "end") WHERE "status" = 'published';
-- Whose birthday it is on a day of any year.
CREATE INDEX "employees_birthday_idx" ON "employees" ("workspace_id", (extract(month FROM "dob") * 100 + extract(day FROM "dob"))) WHERE "dob" IS NOT NULL;
