-- Mailboxes choose their requesters and their automatic e-mails. The words of long e-mails and of merged tickets stay readable.
-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "description_truncated" BOOLEAN NOT NULL DEFAULT false;

-- AlterTable
ALTER TABLE "replies" ADD COLUMN     "body_truncated" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "opening_subject" TEXT;

-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "automatic_emails" TEXT NOT NULL DEFAULT 'ticket',
ADD COLUMN     "mailing_lists" TEXT NOT NULL DEFAULT 'ticket',
ADD COLUMN     "requester_from" TEXT NOT NULL DEFAULT 'from';

-- AlterTable
ALTER TABLE "mail_messages" ADD COLUMN     "size" INTEGER,
ADD COLUMN     "subject" TEXT;

-- CreateTable
CREATE TABLE "reply_readers" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "id" UUID NOT NULL,
    "ticket_id" UUID NOT NULL,

    CONSTRAINT "reply_readers_pkey" PRIMARY KEY ("workspace_id","id","ticket_id")
);

-- CreateIndex
CREATE INDEX "reply_readers_workspace_id_ticket_id_idx" ON "reply_readers"("workspace_id", "ticket_id");

-- CreateIndex
CREATE INDEX "mail_messages_workspace_id_direction_at_id_idx" ON "mail_messages"("workspace_id", "direction", "at" DESC, "id" DESC);

-- AddForeignKey
ALTER TABLE "reply_readers" ADD CONSTRAINT "reply_readers_workspace_id_id_fkey" FOREIGN KEY ("workspace_id", "id") REFERENCES "replies"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "reply_readers" ADD CONSTRAINT "reply_readers_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Workspace
SELECT suite_confine('reply_readers');

ALTER TABLE "mailboxes"
  ADD CONSTRAINT "mailboxes_requester_from_check" CHECK ("requester_from" IN ('from', 'reply_to')),
  ADD CONSTRAINT "mailboxes_mailing_lists_check" CHECK ("mailing_lists" IN ('ticket', 'refuse')),
  ADD CONSTRAINT "mailboxes_automatic_emails_check" CHECK ("automatic_emails" IN ('ticket', 'refuse'));

-- The subject of a merged ticket is found with its first message.
ALTER TABLE "replies" DROP COLUMN "search",
  ADD COLUMN "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("opening_subject" || ' ', '') || coalesce("body", ''))) STORED;
CREATE INDEX "replies_workspace_id_search_idx" ON "replies" USING gin ("workspace_id", "search");
