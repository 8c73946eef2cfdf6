-- The first schema of crm. Its first part is what Prisma writes for schema.prisma, with the generated columns in place.

-- A number for every card that comes to a board: the newest is the smallest, so that it lies on top.
CREATE SEQUENCE "board_rank";

-- CreateTable
CREATE TABLE "users" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "email" TEXT,
    "phone" TEXT,
    "phone_digits" TEXT GENERATED ALWAYS AS (nullif(ltrim(regexp_replace("phone", '\D', '', 'g'), '0'), '')) STORED,
    "kind" TEXT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'active',
    "as_of" INTEGER NOT NULL DEFAULT 0,
    "status_as_of" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "users_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "pipelines" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "position" INTEGER NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "pipelines_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lead_stages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pipeline_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'open',
    "color" TEXT NOT NULL DEFAULT '#64748b',
    "position" INTEGER NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "lead_stages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deal_stages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pipeline_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "type" TEXT NOT NULL DEFAULT 'open',
    "probability" SMALLINT NOT NULL DEFAULT 0,
    "color" TEXT NOT NULL DEFAULT '#64748b',
    "position" INTEGER NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "deal_stages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "labels" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "pipeline_id" UUID,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL DEFAULT '#64748b',
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "labels_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sources" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sources_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "leads" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "external_id" TEXT,
    "name" TEXT NOT NULL,
    "subject" TEXT,
    "email" TEXT,
    "phone" TEXT,
    "company" TEXT,
    "website" TEXT,
    "job_title" TEXT,
    "pipeline_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "stage_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rank" NUMERIC NOT NULL DEFAULT (- nextval('board_rank'::regclass)),
    "owner_id" UUID NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'open',
    "lost_reason" TEXT,
    "converted_at" TIMESTAMPTZ(3),
    "converted_deal_id" UUID,
    "expected_value" DECIMAL(19,4),
    "next_follow_up" DATE,
    "notes" TEXT,
    "score" SMALLINT,
    "origin" TEXT NOT NULL DEFAULT 'manual',
    "consent" JSONB,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("subject", '') || ' ' || coalesce("company", '') || ' ' || coalesce("email", '') || ' ' || coalesce("phone", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "leads_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "deals" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "price" DECIMAL(19,4) NOT NULL DEFAULT 0,
    "currency" TEXT NOT NULL,
    "phone" TEXT,
    "pipeline_id" UUID NOT NULL,
    "stage_id" UUID NOT NULL,
    "stage_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "rank" NUMERIC NOT NULL DEFAULT (- nextval('board_rank'::regclass)),
    "status" TEXT NOT NULL DEFAULT 'open',
    "lost_reason" TEXT,
    "closed_at" TIMESTAMPTZ(3),
    "expected_close" DATE,
    "lead_id" UUID,
    "customer_id" UUID,
    "notes" TEXT,
    "last_activity_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", '') || ' ' || coalesce("phone", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "deals_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "lead_labels" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID NOT NULL,
    "label_id" UUID NOT NULL,

    CONSTRAINT "lead_labels_pkey" PRIMARY KEY ("workspace_id","lead_id","label_id")
);

-- CreateTable
CREATE TABLE "lead_sources" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,

    CONSTRAINT "lead_sources_pkey" PRIMARY KEY ("workspace_id","lead_id","source_id")
);

-- CreateTable
CREATE TABLE "lead_users" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "lead_users_pkey" PRIMARY KEY ("workspace_id","lead_id","user_id")
);

-- CreateTable
CREATE TABLE "deal_labels" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "deal_id" UUID NOT NULL,
    "label_id" UUID NOT NULL,

    CONSTRAINT "deal_labels_pkey" PRIMARY KEY ("workspace_id","deal_id","label_id")
);

-- CreateTable
CREATE TABLE "deal_sources" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "deal_id" UUID NOT NULL,
    "source_id" UUID NOT NULL,

    CONSTRAINT "deal_sources_pkey" PRIMARY KEY ("workspace_id","deal_id","source_id")
);

-- CreateTable
CREATE TABLE "deal_users" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "deal_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "deal_users_pkey" PRIMARY KEY ("workspace_id","deal_id","user_id")
);

-- CreateTable
CREATE TABLE "deal_clients" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "deal_id" UUID NOT NULL,
    "client_id" UUID NOT NULL,

    CONSTRAINT "deal_clients_pkey" PRIMARY KEY ("workspace_id","deal_id","client_id")
);

-- CreateTable
CREATE TABLE "tasks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID,
    "deal_id" UUID,
    "name" TEXT NOT NULL,
    "date" DATE NOT NULL,
    "time" TEXT NOT NULL,
    "priority" TEXT NOT NULL DEFAULT 'medium',
    "status" TEXT NOT NULL DEFAULT 'todo',
    "assignee_id" UUID,
    "reminder" TIMESTAMPTZ(3),
    "done_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "tasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "calls" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID,
    "deal_id" UUID,
    "subject" TEXT NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "duration" INTEGER NOT NULL,
    "assignee_id" UUID NOT NULL,
    "description" TEXT,
    "result" TEXT,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "calls_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "discussions" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID,
    "deal_id" UUID,
    "comment" TEXT NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "discussions_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "emails" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID,
    "deal_id" UUID,
    "to" TEXT[],
    "cc" TEXT[],
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

    CONSTRAINT "emails_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID,
    "deal_id" UUID,
    "key" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "mime" TEXT NOT NULL,
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
    "lead_id" UUID,
    "deal_id" UUID,
    "type" TEXT NOT NULL,
    "payload" JSONB NOT NULL DEFAULT '{}',
    "actor_id" UUID DEFAULT suite_actor_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stage_changes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "lead_id" UUID,
    "deal_id" UUID,
    "from_stage_id" UUID,
    "from_name" TEXT,
    "to_stage_id" UUID NOT NULL,
    "to_name" TEXT NOT NULL,
    "seconds_in_from" INTEGER,
    "by" UUID DEFAULT suite_actor_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stage_changes_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "users_workspace_id_kind_name_id_idx" ON "users"("workspace_id", "kind", "name", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_email_idx" ON "users"("workspace_id", "email");

-- CreateIndex
CREATE INDEX "users_workspace_id_phone_digits_idx" ON "users"("workspace_id", "phone_digits");

-- CreateIndex
CREATE UNIQUE INDEX "users_workspace_id_id_key" ON "users"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "pipelines_workspace_id_id_key" ON "pipelines"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "lead_stages_workspace_id_id_key" ON "lead_stages"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "lead_stages_workspace_id_pipeline_id_id_key" ON "lead_stages"("workspace_id", "pipeline_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deal_stages_workspace_id_id_key" ON "deal_stages"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deal_stages_workspace_id_pipeline_id_id_key" ON "deal_stages"("workspace_id", "pipeline_id", "id");

-- CreateIndex
CREATE INDEX "labels_workspace_id_created_at_id_idx" ON "labels"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "labels_workspace_id_id_key" ON "labels"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "sources_workspace_id_created_at_id_idx" ON "sources"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "sources_workspace_id_id_key" ON "sources"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "leads_workspace_id_created_at_id_idx" ON "leads"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_updated_at_id_idx" ON "leads"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_last_activity_at_id_idx" ON "leads"("workspace_id", "last_activity_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_status_created_at_id_idx" ON "leads"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_owner_id_created_at_id_idx" ON "leads"("workspace_id", "owner_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_pipeline_id_created_at_id_idx" ON "leads"("workspace_id", "pipeline_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_stage_id_created_at_id_idx" ON "leads"("workspace_id", "stage_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "leads_workspace_id_name_id_idx" ON "leads"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "leads_workspace_id_email_idx" ON "leads"("workspace_id", "email");

-- CreateIndex
CREATE UNIQUE INDEX "leads_workspace_id_id_key" ON "leads"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "leads_workspace_id_external_id_key" ON "leads"("workspace_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "leads_workspace_id_converted_deal_id_key" ON "leads"("workspace_id", "converted_deal_id");

-- CreateIndex
CREATE INDEX "deals_workspace_id_created_at_id_idx" ON "deals"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deals_workspace_id_updated_at_id_idx" ON "deals"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deals_workspace_id_last_activity_at_id_idx" ON "deals"("workspace_id", "last_activity_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deals_workspace_id_status_created_at_id_idx" ON "deals"("workspace_id", "status", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deals_workspace_id_pipeline_id_created_at_id_idx" ON "deals"("workspace_id", "pipeline_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deals_workspace_id_stage_id_created_at_id_idx" ON "deals"("workspace_id", "stage_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "deals_workspace_id_name_id_idx" ON "deals"("workspace_id", "name", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deals_workspace_id_id_key" ON "deals"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "deals_workspace_id_lead_id_key" ON "deals"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "lead_labels_workspace_id_label_id_idx" ON "lead_labels"("workspace_id", "label_id");

-- CreateIndex
CREATE INDEX "lead_sources_workspace_id_source_id_idx" ON "lead_sources"("workspace_id", "source_id");

-- CreateIndex
CREATE INDEX "lead_users_workspace_id_user_id_idx" ON "lead_users"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "deal_labels_workspace_id_label_id_idx" ON "deal_labels"("workspace_id", "label_id");

-- CreateIndex
CREATE INDEX "deal_sources_workspace_id_source_id_idx" ON "deal_sources"("workspace_id", "source_id");

-- CreateIndex
CREATE INDEX "deal_users_workspace_id_user_id_idx" ON "deal_users"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "deal_clients_workspace_id_client_id_idx" ON "deal_clients"("workspace_id", "client_id");

-- CreateIndex
CREATE INDEX "tasks_workspace_id_lead_id_idx" ON "tasks"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "tasks_workspace_id_deal_id_idx" ON "tasks"("workspace_id", "deal_id");

-- CreateIndex
CREATE INDEX "tasks_workspace_id_assignee_id_status_date_idx" ON "tasks"("workspace_id", "assignee_id", "status", "date");

-- CreateIndex
CREATE UNIQUE INDEX "tasks_workspace_id_id_key" ON "tasks"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "calls_workspace_id_lead_id_idx" ON "calls"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "calls_workspace_id_deal_id_idx" ON "calls"("workspace_id", "deal_id");

-- CreateIndex
CREATE INDEX "calls_workspace_id_assignee_id_idx" ON "calls"("workspace_id", "assignee_id");

-- CreateIndex
CREATE UNIQUE INDEX "calls_workspace_id_id_key" ON "calls"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "discussions_workspace_id_lead_id_idx" ON "discussions"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "discussions_workspace_id_deal_id_idx" ON "discussions"("workspace_id", "deal_id");

-- CreateIndex
CREATE UNIQUE INDEX "discussions_workspace_id_id_key" ON "discussions"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "emails_workspace_id_lead_id_idx" ON "emails"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "emails_workspace_id_deal_id_idx" ON "emails"("workspace_id", "deal_id");

-- CreateIndex
CREATE UNIQUE INDEX "emails_workspace_id_id_key" ON "emails"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "files_workspace_id_lead_id_idx" ON "files"("workspace_id", "lead_id");

-- CreateIndex
CREATE INDEX "files_workspace_id_deal_id_idx" ON "files"("workspace_id", "deal_id");

-- CreateIndex
CREATE INDEX "files_workspace_id_key_idx" ON "files"("workspace_id", "key");

-- CreateIndex
CREATE UNIQUE INDEX "files_workspace_id_id_key" ON "files"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "activities_workspace_id_lead_id_at_id_idx" ON "activities"("workspace_id", "lead_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "activities_workspace_id_deal_id_at_id_idx" ON "activities"("workspace_id", "deal_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "activities_workspace_id_at_id_idx" ON "activities"("workspace_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "activities_workspace_id_id_key" ON "activities"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "stage_changes_workspace_id_lead_id_at_idx" ON "stage_changes"("workspace_id", "lead_id", "at");

-- CreateIndex
CREATE INDEX "stage_changes_workspace_id_deal_id_at_idx" ON "stage_changes"("workspace_id", "deal_id", "at");

-- CreateIndex
CREATE UNIQUE INDEX "stage_changes_workspace_id_id_key" ON "stage_changes"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "lead_stages" ADD CONSTRAINT "lead_stages_workspace_id_pipeline_id_fkey" FOREIGN KEY ("workspace_id", "pipeline_id") REFERENCES "pipelines"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_stages" ADD CONSTRAINT "deal_stages_workspace_id_pipeline_id_fkey" FOREIGN KEY ("workspace_id", "pipeline_id") REFERENCES "pipelines"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "labels" ADD CONSTRAINT "labels_workspace_id_pipeline_id_fkey" FOREIGN KEY ("workspace_id", "pipeline_id") REFERENCES "pipelines"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leads" ADD CONSTRAINT "leads_workspace_id_pipeline_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "pipeline_id", "stage_id") REFERENCES "lead_stages"("workspace_id", "pipeline_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leads" ADD CONSTRAINT "leads_workspace_id_owner_id_fkey" FOREIGN KEY ("workspace_id", "owner_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "leads" ADD CONSTRAINT "leads_workspace_id_converted_deal_id_fkey" FOREIGN KEY ("workspace_id", "converted_deal_id") REFERENCES "deals"("workspace_id", "id") DEFERRABLE INITIALLY DEFERRED;

-- AddForeignKey
ALTER TABLE "deals" ADD CONSTRAINT "deals_workspace_id_pipeline_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "pipeline_id", "stage_id") REFERENCES "deal_stages"("workspace_id", "pipeline_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deals" ADD CONSTRAINT "deals_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_labels" ADD CONSTRAINT "lead_labels_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_labels" ADD CONSTRAINT "lead_labels_workspace_id_label_id_fkey" FOREIGN KEY ("workspace_id", "label_id") REFERENCES "labels"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_sources" ADD CONSTRAINT "lead_sources_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_sources" ADD CONSTRAINT "lead_sources_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "sources"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_users" ADD CONSTRAINT "lead_users_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "lead_users" ADD CONSTRAINT "lead_users_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_labels" ADD CONSTRAINT "deal_labels_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_labels" ADD CONSTRAINT "deal_labels_workspace_id_label_id_fkey" FOREIGN KEY ("workspace_id", "label_id") REFERENCES "labels"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_sources" ADD CONSTRAINT "deal_sources_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_sources" ADD CONSTRAINT "deal_sources_workspace_id_source_id_fkey" FOREIGN KEY ("workspace_id", "source_id") REFERENCES "sources"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_users" ADD CONSTRAINT "deal_users_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_users" ADD CONSTRAINT "deal_users_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_clients" ADD CONSTRAINT "deal_clients_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "deal_clients" ADD CONSTRAINT "deal_clients_workspace_id_client_id_fkey" FOREIGN KEY ("workspace_id", "client_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "tasks" ADD CONSTRAINT "tasks_workspace_id_assignee_id_fkey" FOREIGN KEY ("workspace_id", "assignee_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "calls" ADD CONSTRAINT "calls_workspace_id_assignee_id_fkey" FOREIGN KEY ("workspace_id", "assignee_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "discussions" ADD CONSTRAINT "discussions_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "discussions" ADD CONSTRAINT "discussions_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "emails" ADD CONSTRAINT "emails_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stage_changes" ADD CONSTRAINT "stage_changes_workspace_id_lead_id_fkey" FOREIGN KEY ("workspace_id", "lead_id") REFERENCES "leads"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stage_changes" ADD CONSTRAINT "stage_changes_workspace_id_deal_id_fkey" FOREIGN KEY ("workspace_id", "deal_id") REFERENCES "deals"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What follows is beyond Prisma's grammar.

-- An index for words inside one workspace.
CREATE EXTENSION IF NOT EXISTS btree_gin;

CREATE INDEX "leads_workspace_id_search_idx" ON "leads" USING gin ("workspace_id", "search");
CREATE INDEX "deals_workspace_id_search_idx" ON "deals" USING gin ("workspace_id", "search");

-- The columns of the boards: what is on show, in order, with the amounts that a column adds up.
CREATE INDEX "leads_board_idx" ON "leads" ("workspace_id", "stage_id", "rank") INCLUDE ("expected_value") WHERE "status" <> 'converted';
CREATE INDEX "deals_board_idx" ON "deals" ("workspace_id", "stage_id", "rank") INCLUDE ("price");

-- Orders in which some rows have no value; those come last.
CREATE INDEX "leads_expected_value_idx" ON "leads" ("workspace_id", "expected_value" DESC NULLS LAST, "id" DESC);
CREATE INDEX "leads_next_follow_up_idx" ON "leads" ("workspace_id", "next_follow_up", "id");
CREATE INDEX "deals_price_idx" ON "deals" ("workspace_id", "price" DESC, "id" DESC);
CREATE INDEX "deals_expected_close_idx" ON "deals" ("workspace_id", "expected_close", "id");

CREATE INDEX "emails_queue_idx" ON "emails" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';

-- Names are unique whatever their case.
CREATE UNIQUE INDEX "pipelines_name_key" ON "pipelines" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "lead_stages_name_key" ON "lead_stages" ("workspace_id", "pipeline_id", lower("name"));
CREATE UNIQUE INDEX "deal_stages_name_key" ON "deal_stages" ("workspace_id", "pipeline_id", lower("name"));
CREATE UNIQUE INDEX "labels_name_key" ON "labels" ("workspace_id", "pipeline_id", lower("name")) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "sources_name_key" ON "sources" ("workspace_id", lower("name"));

-- A workspace has one default pipeline at most; positions are a permutation at the end of every transaction.
CREATE UNIQUE INDEX "pipelines_default_key" ON "pipelines" ("workspace_id") WHERE "is_default";
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_position_key" UNIQUE ("workspace_id", "position") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "lead_stages" ADD CONSTRAINT "lead_stages_position_key" UNIQUE ("workspace_id", "pipeline_id", "position") DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE "deal_stages" ADD CONSTRAINT "deal_stages_position_key" UNIQUE ("workspace_id", "pipeline_id", "position") DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE "users"
  ADD CONSTRAINT "users_kind_check" CHECK ("kind" IN ('owner', 'staff', 'client', 'vendor')),
  ADD CONSTRAINT "users_status_check" CHECK ("status" IN ('invited', 'active', 'disabled', 'former'));
ALTER TABLE "pipelines" ADD CONSTRAINT "pipelines_position_check" CHECK ("position" >= 0);
ALTER TABLE "lead_stages"
  ADD CONSTRAINT "lead_stages_position_check" CHECK ("position" >= 0),
  ADD CONSTRAINT "lead_stages_type_check" CHECK ("type" IN ('open', 'ongoing', 'on_hold', 'won', 'lost'));
ALTER TABLE "deal_stages"
  ADD CONSTRAINT "deal_stages_position_check" CHECK ("position" >= 0),
  ADD CONSTRAINT "deal_stages_type_check" CHECK ("type" IN ('open', 'ongoing', 'on_hold', 'won', 'lost')),
  ADD CONSTRAINT "deal_stages_probability_check" CHECK (CASE "type" WHEN 'won' THEN "probability" = 100 WHEN 'lost' THEN "probability" = 0 ELSE "probability" BETWEEN 0 AND 100 END);
ALTER TABLE "leads"
  ADD CONSTRAINT "leads_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "leads_status_check" CHECK ("status" IN ('open', 'lost', 'converted')),
  ADD CONSTRAINT "leads_lost_check" CHECK (("status" = 'lost') = ("lost_reason" IS NOT NULL)),
  ADD CONSTRAINT "leads_converted_check" CHECK (("status" = 'converted') = ("converted_at" IS NOT NULL)),
  ADD CONSTRAINT "leads_converted_deal_check" CHECK (("status" = 'converted') = ("converted_deal_id" IS NOT NULL)),
  ADD CONSTRAINT "leads_expected_value_check" CHECK ("expected_value" >= 0),
  ADD CONSTRAINT "leads_score_check" CHECK ("score" BETWEEN 0 AND 100),
  ADD CONSTRAINT "leads_origin_check" CHECK ("origin" IN ('manual', 'widget', 'api', 'import'));
ALTER TABLE "deals"
  ADD CONSTRAINT "deals_price_check" CHECK ("price" >= 0),
  ADD CONSTRAINT "deals_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "deals_status_check" CHECK ("status" IN ('open', 'won', 'lost')),
  ADD CONSTRAINT "deals_lost_check" CHECK (("status" = 'lost') = ("lost_reason" IS NOT NULL)),
  ADD CONSTRAINT "deals_closed_check" CHECK (("status" = 'open') = ("closed_at" IS NULL));
ALTER TABLE "tasks"
  ADD CONSTRAINT "tasks_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1),
  ADD CONSTRAINT "tasks_time_check" CHECK ("time" ~ '^([01][0-9]|2[0-3]):[0-5][0-9]$'),
  ADD CONSTRAINT "tasks_priority_check" CHECK ("priority" IN ('low', 'medium', 'high')),
  ADD CONSTRAINT "tasks_status_check" CHECK ("status" IN ('todo', 'done')),
  ADD CONSTRAINT "tasks_done_check" CHECK (("status" = 'done') = ("done_at" IS NOT NULL));
ALTER TABLE "calls"
  ADD CONSTRAINT "calls_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1),
  ADD CONSTRAINT "calls_type_check" CHECK ("type" IN ('inbound', 'outbound')),
  ADD CONSTRAINT "calls_duration_check" CHECK ("duration" >= 0);
ALTER TABLE "discussions" ADD CONSTRAINT "discussions_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1);
ALTER TABLE "emails"
  ADD CONSTRAINT "emails_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1),
  ADD CONSTRAINT "emails_to_check" CHECK (cardinality("to") > 0),
  ADD CONSTRAINT "emails_delivery_check" CHECK ("delivery" IN ('queued', 'sent', 'failed')),
  ADD CONSTRAINT "emails_sent_check" CHECK (("delivery" = 'sent') = ("sent_at" IS NOT NULL));
ALTER TABLE "files"
  ADD CONSTRAINT "files_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1),
  ADD CONSTRAINT "files_size_check" CHECK ("size" > 0);
ALTER TABLE "activities" ADD CONSTRAINT "activities_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1);
ALTER TABLE "stage_changes"
  ADD CONSTRAINT "stage_changes_subject_check" CHECK (num_nonnulls("lead_id", "deal_id") = 1),
  ADD CONSTRAINT "stage_changes_seconds_check" CHECK ("seconds_in_from" >= 0);

-- However a row of `files` goes, with its lead for one, its object is noted for removal.
CREATE FUNCTION discard_file() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO discarded_files (workspace_id, key) VALUES (OLD.workspace_id, OLD.key) ON CONFLICT DO NOTHING;
  RETURN NULL;
END
$$;
CREATE TRIGGER discard_file AFTER DELETE ON "files" FOR EACH ROW EXECUTE FUNCTION discard_file();

GRANT USAGE ON SEQUENCE "board_rank" TO suite_confined;

SELECT suite_record(record::regclass) FROM unnest(ARRAY[
  'pipelines', 'lead_stages', 'deal_stages', 'labels', 'sources', 'leads', 'deals', 'tasks', 'calls', 'discussions', 'emails', 'files'
]) AS record;
SELECT suite_member(member::regclass) FROM unnest(ARRAY[
  'lead_labels', 'lead_sources', 'lead_users', 'deal_labels', 'deal_sources', 'deal_users', 'deal_clients'
]) AS member;
-- Copies of another service's records and logs of our own: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['users', 'discarded_files', 'activities', 'stage_changes']) AS plain;
SELECT suite_append_only(written_once::regclass) FROM unnest(ARRAY['discussions', 'activities', 'stage_changes']) AS written_once;
