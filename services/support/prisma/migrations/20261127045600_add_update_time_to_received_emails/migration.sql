-- Received e-mails are listed, and every list can be read by what changed since.
-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP;

-- CreateIndex
CREATE INDEX "mail_messages_workspace_id_updated_at_id_idx" ON "mail_messages"("workspace_id", "updated_at" DESC, "id" DESC);
