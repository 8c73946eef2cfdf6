-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "as_of" INTEGER NOT NULL DEFAULT 0,
    "status_as_of" INTEGER NOT NULL DEFAULT 0,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("email", '') || ' ' || coalesce("phone", ''))) STORED,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "settings" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "reopen_days" INTEGER NOT NULL DEFAULT 7,
    "share_within_customer" BOOLEAN NOT NULL DEFAULT false,
    "auto_acknowledge" BOOLEAN NOT NULL DEFAULT true,
    "survey" BOOLEAN NOT NULL DEFAULT true,
    "survey_delay_hours" INTEGER NOT NULL DEFAULT 1,
    "token_days" INTEGER NOT NULL DEFAULT 90,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "number_counters" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "type" TEXT NOT NULL,
    "year" SMALLINT NOT NULL,
    "last" INTEGER NOT NULL,

    CONSTRAINT "number_counters_pkey" PRIMARY KEY ("workspace_id","type","year")
);

-- CreateTable
CREATE TABLE "categories" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "default_assignee" UUID,
    "priority" TEXT,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "categories_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "tickets" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "number" TEXT NOT NULL,
    "subject" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "requester_name" TEXT NOT NULL,
    "requester_email" TEXT NOT NULL,
    "requester_user_id" UUID,
    "customer_id" UUID,
    "customer_name" TEXT,
    "category_id" UUID,
    "priority" TEXT NOT NULL DEFAULT 'medium',
    "type" TEXT,
    "status" TEXT NOT NULL DEFAULT 'new',
    "assignee_id" UUID,
    "team" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "channel" TEXT NOT NULL DEFAULT 'api',
    "cc" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "external_id" TEXT,
    "silent" BOOLEAN NOT NULL DEFAULT false,
    "pending_until" TIMESTAMPTZ(3),
    "merged_into" UUID,
    "linked_to" UUID,
    "suspected_ticket_id" UUID,
    "resolved_at" TIMESTAMPTZ(3),
    "closed_at" TIMESTAMPTZ(3),
    "reopened_count" INTEGER NOT NULL DEFAULT 0,
    "last_customer_reply_at" TIMESTAMPTZ(3),
    "last_agent_reply_at" TIMESTAMPTZ(3),
    "rating" SMALLINT,
    "rating_comment" TEXT,
    "public_version" INTEGER NOT NULL DEFAULT 1,
    "public_updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "deleted_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', coalesce("subject", '')), 'A') || setweight(to_tsvector('simple', coalesce("number", '') || ' ' || coalesce("description", '') || ' ' || coalesce("requester_name", '') || ' ' || coalesce("requester_email", '')), 'B')) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "tickets_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "replies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "author_kind" TEXT NOT NULL,
    "author_id" UUID,
    "author_name" TEXT NOT NULL,
    "author_email" TEXT,
    "unverified" BOOLEAN NOT NULL DEFAULT false,
    "body" TEXT NOT NULL,
    "quoted" TEXT,
    "in_reply_to" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "delivery" TEXT,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("body", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "replies_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket_notes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "author_id" UUID,
    "author_name" TEXT NOT NULL,
    "body" TEXT NOT NULL,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("body", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "ticket_notes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "reply_id" UUID,
    "name" TEXT NOT NULL,
    "mime" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "files_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discarded_files" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "key" TEXT NOT NULL,
    "discarded_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "discarded_files_pkey" PRIMARY KEY ("workspace_id","key")
);

-- CreateTable
CREATE TABLE "activities" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "verb" TEXT NOT NULL,
    "diff" JSONB NOT NULL DEFAULT '{}',
    "actor_id" UUID DEFAULT suite_actor_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "users_workspace_id_kind_name_id_idx" ON "users"("workspace_id", "kind", "name", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_email_idx" ON "users"("workspace_id", "email");

-- CreateIndex
CREATE INDEX "users_workspace_id_updated_at_id_idx" ON "users"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "users_workspace_id_id_key" ON "users"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settings_workspace_id_key" ON "settings"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "settings_workspace_id_id_key" ON "settings"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "categories_workspace_id_created_at_id_idx" ON "categories"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "categories_workspace_id_id_key" ON "categories"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_created_at_id_idx" ON "tickets"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tickets_workspace_id_updated_at_id_idx" ON "tickets"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tickets_workspace_id_status_created_at_id_idx" ON "tickets"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tickets_workspace_id_assignee_id_created_at_id_idx" ON "tickets"("workspace_id", "assignee_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tickets_workspace_id_category_id_created_at_id_idx" ON "tickets"("workspace_id", "category_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tickets_workspace_id_requester_user_id_created_at_id_idx" ON "tickets"("workspace_id", "requester_user_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "tickets_workspace_id_requester_email_idx" ON "tickets"("workspace_id", "requester_email");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_customer_id_idx" ON "tickets"("workspace_id", "customer_id");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_merged_into_idx" ON "tickets"("workspace_id", "merged_into");

-- CreateIndex
CREATE UNIQUE INDEX "tickets_workspace_id_id_key" ON "tickets"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "tickets_workspace_id_number_key" ON "tickets"("workspace_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "tickets_workspace_id_external_id_key" ON "tickets"("workspace_id", "external_id");

-- CreateIndex
CREATE INDEX "replies_workspace_id_ticket_id_at_id_idx" ON "replies"("workspace_id", "ticket_id", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "replies_workspace_id_id_key" ON "replies"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "ticket_notes_workspace_id_ticket_id_created_at_id_idx" ON "ticket_notes"("workspace_id", "ticket_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_notes_workspace_id_id_key" ON "ticket_notes"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "files_workspace_id_ticket_id_idx" ON "files"("workspace_id", "ticket_id");

-- CreateIndex
CREATE INDEX "files_workspace_id_reply_id_idx" ON "files"("workspace_id", "reply_id");

-- CreateIndex
CREATE UNIQUE INDEX "files_workspace_id_id_key" ON "files"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "files_workspace_id_key_key" ON "files"("workspace_id", "key");

-- CreateIndex
CREATE INDEX "activities_workspace_id_ticket_id_at_id_idx" ON "activities"("workspace_id", "ticket_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "activities_workspace_id_at_id_idx" ON "activities"("workspace_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "activities_workspace_id_id_key" ON "activities"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_workspace_id_category_id_fkey" FOREIGN KEY ("workspace_id", "category_id") REFERENCES "categories"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_workspace_id_assignee_id_fkey" FOREIGN KEY ("workspace_id", "assignee_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_workspace_id_requester_user_id_fkey" FOREIGN KEY ("workspace_id", "requester_user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tickets" ADD CONSTRAINT "tickets_workspace_id_merged_into_fkey" FOREIGN KEY ("workspace_id", "merged_into") REFERENCES "tickets"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "replies" ADD CONSTRAINT "replies_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "ticket_notes" ADD CONSTRAINT "ticket_notes_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_reply_id_fkey" FOREIGN KEY ("workspace_id", "reply_id") REFERENCES "replies"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

-- An index for words inside one workspace.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "categories_workspace_id_search_idx" ON "categories" USING gin ("workspace_id", "search");
CREATE INDEX "users_workspace_id_search_idx" ON "users" USING gin ("workspace_id", "search");
CREATE INDEX "tickets_workspace_id_search_idx" ON "tickets" USING gin ("workspace_id", "search");
CREATE INDEX "replies_workspace_id_search_idx" ON "replies" USING gin ("workspace_id", "search");
CREATE INDEX "ticket_notes_workspace_id_search_idx" ON "ticket_notes" USING gin ("workspace_id", "search");
CREATE INDEX "tickets_tags_idx" ON "tickets" USING gin ("workspace_id", "tags");

CREATE UNIQUE INDEX "categories_name_key" ON "categories" ("workspace_id", lower("name"));

ALTER TABLE "users"
  ADD CONSTRAINT "users_kind_check" CHECK ("kind" IN ('owner', 'staff', 'client', 'vendor')),
  ADD CONSTRAINT "users_status_check" CHECK ("status" IN ('invited', 'active', 'disabled', 'former'));
ALTER TABLE "settings"
  ADD CONSTRAINT "settings_reopen_days_check" CHECK ("reopen_days" BETWEEN 0 AND 365),
  ADD CONSTRAINT "settings_survey_delay_hours_check" CHECK ("survey_delay_hours" BETWEEN 0 AND 720),
  ADD CONSTRAINT "settings_token_days_check" CHECK ("token_days" BETWEEN 1 AND 3650);
ALTER TABLE "categories"
  ADD CONSTRAINT "categories_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "categories_priority_check" CHECK ("priority" IN ('low', 'medium', 'high', 'urgent'));
ALTER TABLE "tickets"
  ADD CONSTRAINT "tickets_subject_check" CHECK ("subject" <> ''),
  ADD CONSTRAINT "tickets_email_check" CHECK ("requester_email" <> ''),
  ADD CONSTRAINT "tickets_priority_check" CHECK ("priority" IN ('low', 'medium', 'high', 'urgent')),
  ADD CONSTRAINT "tickets_type_check" CHECK ("type" IN ('question', 'incident', 'problem', 'request')),
  ADD CONSTRAINT "tickets_status_check" CHECK ("status" IN ('new', 'open', 'pending', 'on_hold', 'resolved', 'closed', 'merged', 'spam')),
  ADD CONSTRAINT "tickets_channel_check" CHECK ("channel" IN ('portal', 'email', 'api', 'widget')),
  ADD CONSTRAINT "tickets_merged_check" CHECK (("status" = 'merged') = ("merged_into" IS NOT NULL) AND "merged_into" <> "id"),
  ADD CONSTRAINT "tickets_resolved_check" CHECK ("status" <> 'resolved' OR "resolved_at" IS NOT NULL),
  ADD CONSTRAINT "tickets_closed_check" CHECK (("status" = 'closed') = ("closed_at" IS NOT NULL)),
  ADD CONSTRAINT "tickets_rating_check" CHECK ("rating" BETWEEN 1 AND 5);
ALTER TABLE "replies"
  ADD CONSTRAINT "replies_author_check" CHECK ("author_kind" IN ('agent', 'customer')),
  ADD CONSTRAINT "replies_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'delivered', 'failed', 'bounced'));
ALTER TABLE "files" ADD CONSTRAINT "files_size_check" CHECK ("size" > 0);


-- Workspace, audit and version.
SELECT suite_record(record::regclass) FROM unnest(ARRAY['settings', 'categories', 'tickets', 'replies', 'ticket_notes', 'files']) AS record;
-- Copies of another service's records, counters and logs of our own: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['users', 'number_counters', 'discarded_files', 'activities']) AS plain;
SELECT suite_append_only('activities');
