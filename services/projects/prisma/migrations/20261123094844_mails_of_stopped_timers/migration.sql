-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "time_entry_id" UUID;

-- CreateIndex
CREATE UNIQUE INDEX "mails_workspace_id_time_entry_id_key" ON "mails"("workspace_id", "time_entry_id");

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_workspace_id_time_entry_id_fkey" FOREIGN KEY ("workspace_id", "time_entry_id") REFERENCES "time_entries"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_check",
  ADD CONSTRAINT "mails_kind_check" CHECK ("kind" IN ('news', 'daily', 'invitation', 'stopped_timer')),
  ADD CONSTRAINT "mails_time_entry_check" CHECK (("kind" = 'stopped_timer') = ("time_entry_id" IS NOT NULL));

-- Those who are still to be told, under the ids by which their mails were known before.
INSERT INTO mails (id, workspace_id, user_id, kind, time_entry_id)
SELECT id, workspace_id, user_id, 'stopped_timer', id FROM time_entries WHERE mail_due;
UPDATE time_entries SET mail_due = FALSE WHERE mail_due;
