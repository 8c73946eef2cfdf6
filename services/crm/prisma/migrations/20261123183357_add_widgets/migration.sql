-- Widgets: forms by which visitors become leads; what they agreed to, and how often forms were sent.

-- AlterTable
ALTER TABLE "leads" ADD COLUMN     "attribution" JSONB;

-- CreateTable
CREATE TABLE "widgets" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "revoked_at" TIMESTAMPTZ(3),
    "language" TEXT NOT NULL,
    "allowed_origins" TEXT[],
    "pipeline_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "owner_id" UUID NOT NULL,
    "source_id" UUID,
    "label_ids" UUID[],
    "fields" JSONB NOT NULL,
    "texts" JSONB NOT NULL,
    "colors" JSONB NOT NULL,
    "consent" JSONB NOT NULL,
    "redirect_url" TEXT,
    "form_version" INTEGER NOT NULL DEFAULT 1,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,

    CONSTRAINT "widgets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "widget_tokens" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "widget_id" UUID NOT NULL,
    "token" TEXT NOT NULL,
    "token_hash" TEXT NOT NULL,
    "expires_at" TIMESTAMPTZ(3),

    CONSTRAINT "widget_tokens_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "widget_hits" (
    "token_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "hits" INTEGER NOT NULL,

    CONSTRAINT "widget_hits_pkey" PRIMARY KEY ("token_id")
);

-- CreateTable
CREATE TABLE "widget_counts" (
    "widget_id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "submitted" INTEGER NOT NULL DEFAULT 0,
    "merged" INTEGER NOT NULL DEFAULT 0,
    "spam" INTEGER NOT NULL DEFAULT 0,
    "refused" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "widget_counts_pkey" PRIMARY KEY ("widget_id")
);

-- CreateTable
CREATE TABLE "widget_submissions" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "widget_id" UUID NOT NULL,
    "submission_id" UUID NOT NULL,
    "body_hash" TEXT NOT NULL,
    "message" TEXT NOT NULL,
    "redirect_url" TEXT,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "widget_submissions_pkey" PRIMARY KEY ("workspace_id","widget_id","submission_id")
);

-- CreateTable
CREATE TABLE "lead_consents" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID NOT NULL,
    "widget_id" UUID NOT NULL,
    "submission_id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "form_version" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "ip" TEXT NOT NULL,
    "user_agent" TEXT NOT NULL,

    CONSTRAINT "lead_consents_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "widget_mails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID NOT NULL,
    "form" TEXT NOT NULL,
    "text" TEXT NOT NULL,
    "merged" BOOLEAN NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "widget_mails_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "widgets_workspace_id_created_at_id_idx" ON "widgets"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "widgets_workspace_id_updated_at_id_idx" ON "widgets"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "widgets_workspace_id_id_key" ON "widgets"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "widget_tokens_token_hash_key" ON "widget_tokens"("token_hash");

-- CreateIndex
CREATE INDEX "widget_tokens_workspace_id_widget_id_idx" ON "widget_tokens"("workspace_id", "widget_id");

-- CreateIndex
CREATE UNIQUE INDEX "widget_tokens_workspace_id_id_key" ON "widget_tokens"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "widget_hits_workspace_id_token_id_key" ON "widget_hits"("workspace_id", "token_id");

-- CreateIndex
CREATE UNIQUE INDEX "widget_counts_workspace_id_widget_id_key" ON "widget_counts"("workspace_id", "widget_id");

-- CreateIndex
CREATE INDEX "lead_consents_workspace_id_lead_id_idx" ON "lead_consents"("workspace_id", "lead_id");

-- CreateIndex
CREATE UNIQUE INDEX "lead_consents_workspace_id_id_key" ON "lead_consents"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "widget_mails_workspace_id_lead_id_idx" ON "widget_mails"("workspace_id", "lead_id");

-- CreateIndex
CREATE UNIQUE INDEX "widget_mails_workspace_id_id_key" ON "widget_mails"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "widget_tokens" ADD CONSTRAINT "widget_tokens_workspace_id_widget_id_fkey" FOREIGN KEY ("workspace_id", "widget_id") REFERENCES "widgets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "widget_hits" ADD CONSTRAINT "widget_hits_workspace_id_token_id_fkey" FOREIGN KEY ("workspace_id", "token_id") REFERENCES "widget_tokens"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "widget_counts" ADD CONSTRAINT "widget_counts_workspace_id_widget_id_fkey" FOREIGN KEY ("workspace_id", "widget_id") REFERENCES "widgets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "widget_submissions" ADD CONSTRAINT "widget_submissions_workspace_id_widget_id_fkey" FOREIGN KEY ("workspace_id", "widget_id") REFERENCES "widgets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_consents" ADD CONSTRAINT "lead_consents_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "widget_mails" ADD CONSTRAINT "widget_mails_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "widgets_search_idx" ON "widgets" USING gin ("workspace_id", "search");

-- The mails that are due; and leads by the end of their number, however it was written down.
CREATE INDEX "widget_mails_due" ON "widget_mails" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';
CREATE INDEX "leads_phone_end" ON "leads" ("workspace_id", right(regexp_replace("phone", '\D', '', 'g'), 7)) WHERE "phone" IS NOT NULL;

ALTER TABLE widgets
  ADD CONSTRAINT widgets_status CHECK (status IN ('active', 'revoked')),
  ADD CONSTRAINT widgets_revoked CHECK ((status = 'revoked') = (revoked_at IS NOT NULL)),
  ALTER COLUMN allowed_origins SET NOT NULL,
  ALTER COLUMN label_ids SET NOT NULL;

ALTER TABLE widget_mails
  ADD CONSTRAINT widget_mails_delivery CHECK (delivery IN ('queued', 'sent', 'failed', 'dropped'));

-- Business records: confined, versioned, audited.
SELECT suite_record('widgets'), suite_member('widget_tokens', 'token_hash');
-- What is counted or delivered, and what is a log itself.
SELECT suite_confine('widget_hits'), suite_confine('widget_counts'), suite_confine('widget_submissions'), suite_confine('lead_consents'),
  suite_confine('widget_mails');
SELECT suite_append_only('widget_submissions'), suite_append_only('lead_consents');
