-- A mailbox address is verified before e-mails are sent in its name.
-- AlterTable
ALTER TABLE "mailboxes" ADD COLUMN     "address_verified_at" TIMESTAMPTZ(3);

-- CreateTable
CREATE TABLE "mailbox_verifications" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "mailbox_id" UUID NOT NULL,
    "address" TEXT NOT NULL,
    "code_hash" BYTEA,
    "expires_at" TIMESTAMPTZ(3) NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mailbox_verifications_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "mailbox_verifications_workspace_id_mailbox_id_created_at_idx" ON "mailbox_verifications"("workspace_id", "mailbox_id", "created_at" DESC);

-- AddForeignKey
ALTER TABLE "mailbox_verifications" ADD CONSTRAINT "mailbox_verifications_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- Serves the schedule that delivers the codes.
CREATE INDEX "mailbox_verifications_queue_idx" ON "mailbox_verifications" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';
ALTER TABLE "mailbox_verifications" ADD CONSTRAINT "mailbox_verifications_delivery_check"
  CHECK ("delivery" IN ('queued', 'sent', 'failed', 'dropped'));

-- Workspace
SELECT suite_confine('mailbox_verifications');
