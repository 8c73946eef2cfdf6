-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "merged_number" TEXT,
ADD COLUMN     "moves_at" TIMESTAMPTZ(3),
ADD COLUMN     "public_status" TEXT NOT NULL DEFAULT 'open',
ADD COLUMN     "rated_at" TIMESTAMPTZ(3);

-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "workspace_name" TEXT NOT NULL DEFAULT '';

-- AlterTable
ALTER TABLE "replies" ADD COLUMN     "by_link" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "thread_id" UUID NOT NULL;

-- AlterTable
ALTER TABLE "ticket_notes" ADD COLUMN     "thread_id" UUID NOT NULL;

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "thread_id" UUID NOT NULL;

-- CreateTable
CREATE TABLE "note_files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "note_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "mime" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "note_files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "canned_replies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "title" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "category_id" UUID,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "search" tsvector,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "canned_replies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "mails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "reply_id" UUID,
    "kind" TEXT NOT NULL,
    "to" TEXT NOT NULL,
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "subject" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "mails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket_links" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "token_hash" BYTEA NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "ticket_links_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket_counts" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "side" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "status" TEXT NOT NULL,
    "tickets" INTEGER NOT NULL,

    CONSTRAINT "ticket_counts_pkey" PRIMARY KEY ("workspace_id","side","user_id","status")
);

-- CreateTable
CREATE TABLE "ticket_figures" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "created" INTEGER NOT NULL DEFAULT 0,
    "resolved" INTEGER NOT NULL DEFAULT 0,
    "closed" INTEGER NOT NULL DEFAULT 0,
    "rated" INTEGER NOT NULL DEFAULT 0,
    "stars" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "ticket_figures_pkey" PRIMARY KEY ("workspace_id","slot")
);

-- CreateTable
CREATE TABLE "ticket_tags" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "tag" TEXT NOT NULL,
    "tickets" INTEGER NOT NULL,

    CONSTRAINT "ticket_tags_pkey" PRIMARY KEY ("workspace_id","tag")
);

-- CreateIndex
CREATE INDEX "ticket_tags_workspace_id_tickets_tag_idx" ON "ticket_tags"("workspace_id", "tickets" DESC, "tag");

-- CreateIndex
CREATE INDEX "note_files_workspace_id_note_id_idx" ON "note_files"("workspace_id", "note_id");

-- CreateIndex
CREATE UNIQUE INDEX "note_files_workspace_id_id_key" ON "note_files"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "note_files_workspace_id_key_key" ON "note_files"("workspace_id", "key");

-- CreateIndex
CREATE INDEX "canned_replies_workspace_id_category_id_idx" ON "canned_replies"("workspace_id", "category_id");

-- CreateIndex
CREATE INDEX "canned_replies_workspace_id_created_at_id_idx" ON "canned_replies"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "canned_replies_workspace_id_id_key" ON "canned_replies"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "mails_workspace_id_ticket_id_idx" ON "mails"("workspace_id", "ticket_id");

-- CreateIndex
CREATE INDEX "mails_workspace_id_reply_id_idx" ON "mails"("workspace_id", "reply_id");

-- CreateIndex
CREATE UNIQUE INDEX "mails_workspace_id_id_key" ON "mails"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "ticket_links_workspace_id_ticket_id_idx" ON "ticket_links"("workspace_id", "ticket_id");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_links_workspace_id_id_key" ON "ticket_links"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_links_workspace_id_token_hash_key" ON "ticket_links"("workspace_id", "token_hash");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_linked_to_idx" ON "tickets"("workspace_id", "linked_to");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_last_customer_reply_at_idx" ON "tickets"("workspace_id", "last_customer_reply_at");

-- CreateIndex
CREATE INDEX "replies_workspace_id_thread_id_at_id_idx" ON "replies"("workspace_id", "thread_id", "at", "id");

-- CreateIndex
CREATE INDEX "ticket_notes_workspace_id_thread_id_created_at_id_idx" ON "ticket_notes"("workspace_id", "thread_id", "created_at", "id");

-- CreateIndex
CREATE INDEX "files_workspace_id_thread_id_idx" ON "files"("workspace_id", "thread_id");

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_workspace_id_linked_to_fkey" FOREIGN KEY ("workspace_id", "linked_to") REFERENCES "tickets"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "note_files" ADD CONSTRAINT "note_files_workspace_id_note_id_fkey" FOREIGN KEY ("workspace_id", "note_id") REFERENCES "ticket_notes"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "canned_replies" ADD CONSTRAINT "canned_replies_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "mails" ADD CONSTRAINT "mails_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ticket_links" ADD CONSTRAINT "ticket_links_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

ALTER TABLE "canned_replies" DROP COLUMN "search",
  ADD COLUMN "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', "title"), 'A') || setweight(to_tsvector('simple', "body"), 'B')) STORED;
CREATE INDEX "canned_replies_workspace_id_search_idx" ON "canned_replies" USING gin ("workspace_id", "search");
-- What is due next, for the schedules.
CREATE INDEX "tickets_moves_idx" ON "tickets" ("workspace_id", "moves_at") WHERE "moves_at" IS NOT NULL;
CREATE INDEX "tickets_team_idx" ON "tickets" ("workspace_id", "team") WHERE "team" IS NOT NULL;
CREATE INDEX "tickets_deleted_idx" ON "tickets" ("workspace_id", "deleted_at") WHERE "deleted_at" IS NOT NULL;
CREATE INDEX "mails_queue_idx" ON "mails" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';

ALTER TABLE "tickets"
  ADD CONSTRAINT "tickets_public_status_check" CHECK ("public_status" IN ('open', 'waiting_for_you', 'resolved', 'closed')),
  ADD CONSTRAINT "tickets_moves_check" CHECK ("moves_at" IS NULL OR "status" IN ('pending', 'resolved')),
  ADD CONSTRAINT "tickets_rated_check" CHECK (("rating" IS NULL) = ("rated_at" IS NULL));
ALTER TABLE "canned_replies" ADD CONSTRAINT "canned_replies_title_check" CHECK ("title" <> '');
ALTER TABLE "note_files" ADD CONSTRAINT "note_files_size_check" CHECK ("size" > 0);
ALTER TABLE "mails"
  ADD CONSTRAINT "mails_kind_check" CHECK ("kind" IN ('acknowledgement', 'reply', 'survey', 'assignment')),
  ADD CONSTRAINT "mails_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'failed', 'dropped')),
  ADD CONSTRAINT "mails_sent_check" CHECK (("delivery" = 'sent') = ("sent_at" IS NOT NULL));
ALTER TABLE "ticket_counts" ADD CONSTRAINT "ticket_counts_side_check" CHECK ("side" IN ('assignee', 'requester'));

-- Workspace, audit and version.
SELECT suite_record('note_files');
SELECT suite_record('canned_replies');
SELECT suite_record('mails');
-- Hashes and counters: confined, and no matter for the audit log.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['ticket_links', 'ticket_counts', 'ticket_figures', 'ticket_tags']) AS plain;
