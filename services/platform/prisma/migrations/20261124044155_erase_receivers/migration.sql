-- AlterTable
ALTER TABLE "sms_messages" ADD COLUMN     "user_id" UUID,
ALTER COLUMN "to" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "sms_messages_workspace_id_user_id_idx" ON "sms_messages"("workspace_id", "user_id");

-- AddForeignKey
ALTER TABLE "sms_messages" ADD CONSTRAINT "sms_messages_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- Of a message to somebody who was deleted nothing personal is left, and it is not sent.
ALTER TABLE "sms_messages"
  DROP CONSTRAINT "sms_messages_text",
  ADD CONSTRAINT "sms_messages_text" CHECK (CASE
    WHEN "to" IS NULL THEN "user_id" IS NOT NULL AND "text" IS NULL AND "text_sealed" IS NULL AND "status" <> 'queued'
    WHEN "purpose" = 'second_factor' THEN "text" IS NULL
    ELSE "text" IS NOT NULL AND "text_sealed" IS NULL END);
