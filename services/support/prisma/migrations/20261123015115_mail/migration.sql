-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "thread_secret" BYTEA NOT NULL DEFAULT sha256(((gen_random_uuid())::text || (gen_random_uuid())::text)::bytea);

-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "mailbox_id" UUID;

-- AlterTable
ALTER TABLE "mails" ADD COLUMN     "message_id" TEXT;

-- CreateTable
CREATE TABLE "mailboxes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "address" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "category_id" UUID,
    "from_name" TEXT NOT NULL,
    "signature" TEXT,
    "auto_acknowledge" BOOLEAN NOT NULL DEFAULT true,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "token_hash" BYTEA NOT NULL,
    "token_hint" TEXT NOT NULL,
    "former_token_hash" BYTEA,
    "former_token_until" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name" || ' ' || "address")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "mailboxes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_messages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "direction" TEXT NOT NULL,
    "mailbox_id" UUID,
    "received_key" TEXT,
    "message_id" TEXT,
    "outcome" TEXT,
    "reason" TEXT,
    "ticket_id" UUID,
    "reply_id" UUID,
    "from_address" TEXT,
    "raw_key" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "mail_messages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "parked_mails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "mailbox_id" UUID NOT NULL,
    "received_key" TEXT NOT NULL,
    "reason" TEXT NOT NULL,
    "detail" TEXT,
    "size" INTEGER NOT NULL,
    "raw_key" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "parked_mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "blocked_senders" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "sender" TEXT NOT NULL,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "sender")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "blocked_senders_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mail_pauses" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "address" TEXT NOT NULL,
    "until" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "mail_pauses_pkey" PRIMARY KEY ("workspace_id","address")
);

-- CreateIndex
CREATE INDEX "mailboxes_workspace_id_token_hash_idx" ON "mailboxes"("workspace_id", "token_hash");

-- CreateIndex
CREATE INDEX "mailboxes_workspace_id_former_token_hash_idx" ON "mailboxes"("workspace_id", "former_token_hash");

-- CreateIndex
CREATE INDEX "mailboxes_workspace_id_created_at_id_idx" ON "mailboxes"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_workspace_id_id_key" ON "mailboxes"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "mailboxes_workspace_id_address_key" ON "mailboxes"("workspace_id", "address");

-- CreateIndex
CREATE INDEX "mail_messages_workspace_id_message_id_idx" ON "mail_messages"("workspace_id", "message_id");

-- CreateIndex
CREATE INDEX "mail_messages_workspace_id_ticket_id_at_idx" ON "mail_messages"("workspace_id", "ticket_id", "at");

-- CreateIndex
CREATE INDEX "mail_messages_workspace_id_from_address_at_idx" ON "mail_messages"("workspace_id", "from_address", "at");

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_workspace_id_id_key" ON "mail_messages"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "mail_messages_workspace_id_mailbox_id_received_key_key" ON "mail_messages"("workspace_id", "mailbox_id", "received_key");

-- CreateIndex
CREATE INDEX "parked_mails_workspace_id_created_at_id_idx" ON "parked_mails"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "parked_mails_workspace_id_id_key" ON "parked_mails"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "parked_mails_workspace_id_mailbox_id_received_key_key" ON "parked_mails"("workspace_id", "mailbox_id", "received_key");

-- CreateIndex
CREATE INDEX "blocked_senders_workspace_id_created_at_id_idx" ON "blocked_senders"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "blocked_senders_workspace_id_id_key" ON "blocked_senders"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "blocked_senders_workspace_id_sender_key" ON "blocked_senders"("workspace_id", "sender");

-- AddForeignKey
ALTER TABLE "mailboxes" ADD CONSTRAINT "mailboxes_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mail_messages" ADD CONSTRAINT "mail_messages_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "parked_mails" ADD CONSTRAINT "parked_mails_workspace_id_mailbox_id_fkey" FOREIGN KEY ("workspace_id", "mailbox_id") REFERENCES "mailboxes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.
CREATE INDEX "mailboxes_workspace_id_search_idx" ON "mailboxes" USING gin ("workspace_id", "search");
CREATE INDEX "blocked_senders_workspace_id_search_idx" ON "blocked_senders" USING gin ("workspace_id", "search");
-- A mail server says by its token alone whose mailbox it speaks of.
CREATE UNIQUE INDEX "mailboxes_token_hash_key" ON "mailboxes" ("token_hash");
CREATE INDEX "mailboxes_former_token_hash_idx" ON "mailboxes" ("former_token_hash") WHERE "former_token_hash" IS NOT NULL;
ALTER TABLE "mailboxes"
  ADD CONSTRAINT "mailboxes_address_check" CHECK ("address" = lower("address") AND "address" LIKE '%_@_%'),
  ADD CONSTRAINT "mailboxes_former_token_check" CHECK (("former_token_hash" IS NULL) = ("former_token_until" IS NULL));
ALTER TABLE "mail_messages"
  ADD CONSTRAINT "mail_messages_direction_check" CHECK ("direction" IN ('in', 'out')),
  ADD CONSTRAINT "mail_messages_outcome_check" CHECK ("outcome" IN ('created', 'replied', 'ignored')),
  ADD CONSTRAINT "mail_messages_in_check" CHECK ("direction" = 'out' OR num_nulls("mailbox_id", "received_key") = 0),
  ADD CONSTRAINT "mail_messages_ignored_check" CHECK (("outcome" IS NOT DISTINCT FROM 'ignored') = ("reason" IS NOT NULL));
ALTER TABLE "parked_mails" ADD CONSTRAINT "parked_mails_size_check" CHECK ("size" >= 0);
ALTER TABLE "blocked_senders" ADD CONSTRAINT "blocked_senders_sender_check" CHECK ("sender" = lower("sender") AND "sender" LIKE '%@_%');

-- Workspace, audit and version; hashes of tokens are no matter for the audit log.
SELECT suite_record('mailboxes', 'token_hash', 'former_token_hash');
SELECT suite_record('blocked_senders'), suite_record('parked_mails');
-- A log of our own: confined, and not audited a second time.
SELECT suite_confine('mail_messages'), suite_confine('mail_pauses');
SELECT suite_record('settings', 'thread_secret');
