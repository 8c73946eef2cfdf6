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
    "block_completion" BOOLEAN NOT NULL DEFAULT true,
    "deal_template_id" UUID,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "settings_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "projects" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "description" TEXT,
    "status" TEXT NOT NULL DEFAULT 'not_started',
    "start_date" DATE,
    "end_date" DATE,
    "budget" DECIMAL(19,4),
    "currency" CHAR(3) NOT NULL,
    "customer_id" UUID,
    "customer_name" TEXT,
    "hourly_rate" DECIMAL(19,4),
    "billable" BOOLEAN NOT NULL DEFAULT true,
    "visibility" TEXT NOT NULL DEFAULT 'members',
    "health" TEXT,
    "color" TEXT,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "wip_policy" TEXT NOT NULL DEFAULT 'refuse',
    "deal_id" UUID,
    "is_template" BOOLEAN NOT NULL DEFAULT false,
    "template_id" UUID,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "external_id" TEXT,
    "last_number" INTEGER NOT NULL DEFAULT 0,
    "countable_tasks" INTEGER NOT NULL DEFAULT 0,
    "completed_tasks" INTEGER NOT NULL DEFAULT 0,
    "progress" INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN "countable_tasks" = 0 THEN 0 ELSE 100 * "completed_tasks" / "countable_tasks" END) STORED,
    "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', coalesce("name", '')), 'A') || setweight(to_tsvector('simple', coalesce("code", '') || ' ' || coalesce("description", '')), 'B')) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "projects_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_codes" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "code" TEXT NOT NULL,
    "project_id" UUID NOT NULL,

    CONSTRAINT "project_codes_pkey" PRIMARY KEY ("workspace_id","code")
);

-- CreateTable
CREATE TABLE "project_members" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "role" TEXT NOT NULL,
    "hourly_rate" DECIMAL(19,4),
    "cost_rate" DECIMAL(19,4),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_members_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "project_clients" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "customer_id" UUID,
    "invited_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "project_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "milestones" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "summary" TEXT,
    "cost" DECIMAL(19,4),
    "start_date" DATE,
    "end_date" DATE,
    "status" TEXT NOT NULL DEFAULT 'incomplete',
    "client_visible" BOOLEAN NOT NULL DEFAULT false,
    "countable_tasks" INTEGER NOT NULL DEFAULT 0,
    "completed_tasks" INTEGER NOT NULL DEFAULT 0,
    "progress" INTEGER NOT NULL GENERATED ALWAYS AS (CASE WHEN "countable_tasks" = 0 THEN 0 ELSE 100 * "completed_tasks" / "countable_tasks" END) STORED,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("title", '') || ' ' || coalesce("summary", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "milestones_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stages" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "project_id" UUID,
    "name" TEXT NOT NULL,
    "color" TEXT NOT NULL,
    "order" INTEGER NOT NULL,
    "group" TEXT NOT NULL,
    "is_default" BOOLEAN NOT NULL DEFAULT false,
    "wip_limit" INTEGER,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "stages_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "work_items" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "project_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "description" TEXT,
    "priority" TEXT NOT NULL DEFAULT 'medium',
    "stage_id" UUID NOT NULL,
    "stage_since" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "group" TEXT NOT NULL DEFAULT 'unstarted',
    "rank" DECIMAL(65,30) NOT NULL,
    "milestone_id" UUID,
    "parent_id" UUID,
    "start_date" DATE,
    "due_date" DATE,
    "estimate_minutes" INTEGER,
    "tags" TEXT[] DEFAULT ARRAY[]::TEXT[],
    "client_visible" BOOLEAN NOT NULL DEFAULT false,
    "billable" BOOLEAN,
    "external_id" TEXT,
    "completed_at" TIMESTAMPTZ(3),
    "tracked_seconds" INTEGER NOT NULL DEFAULT 0,
    "recurrence" JSONB,
    "series_id" UUID,
    "series_date" DATE,
    "severity" TEXT,
    "environment" TEXT,
    "steps" TEXT,
    "resolution" TEXT,
    "duplicate_of" UUID,
    "reporter_id" UUID,
    "search" tsvector GENERATED ALWAYS AS (setweight(to_tsvector('simple', coalesce("title", '')), 'A') || setweight(to_tsvector('simple', coalesce("description", '')), 'B')) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "work_items_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "assignees" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "item_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,

    CONSTRAINT "assignees_pkey" PRIMARY KEY ("workspace_id","item_id","user_id")
);

-- CreateTable
CREATE TABLE "watchers" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "item_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "watching" BOOLEAN NOT NULL DEFAULT true,

    CONSTRAINT "watchers_pkey" PRIMARY KEY ("workspace_id","item_id","user_id")
);

-- CreateTable
CREATE TABLE "blockers" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "item_id" UUID NOT NULL,
    "blocker_id" UUID NOT NULL,

    CONSTRAINT "blockers_pkey" PRIMARY KEY ("workspace_id","item_id","blocker_id")
);

-- CreateTable
CREATE TABLE "subtasks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "item_id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "done" BOOLEAN NOT NULL DEFAULT false,
    "due" DATE,
    "position" INTEGER NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "subtasks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "comments" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "item_id" UUID NOT NULL,
    "author_id" UUID,
    "visibility" TEXT NOT NULL DEFAULT 'team',
    "body" TEXT,
    "edited_at" TIMESTAMPTZ(3),
    "deleted_at" TIMESTAMPTZ(3),
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("body", ''))) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "comments_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "files" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "item_id" UUID,
    "comment_id" UUID,
    "name" TEXT NOT NULL,
    "mime" TEXT NOT NULL,
    "size" INTEGER NOT NULL,
    "key" TEXT NOT NULL,
    "client_visible" BOOLEAN NOT NULL DEFAULT false,
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
    "project_id" UUID NOT NULL,
    "verb" TEXT NOT NULL,
    "object_type" TEXT NOT NULL,
    "object_id" UUID NOT NULL,
    "object_label" TEXT NOT NULL,
    "diff" JSONB NOT NULL DEFAULT '{}',
    "client_visible" BOOLEAN NOT NULL DEFAULT false,
    "actor_id" UUID DEFAULT suite_actor_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "activities_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "stage_changes" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "item_id" UUID NOT NULL,
    "from_stage_id" UUID,
    "from_group" TEXT,
    "to_stage_id" UUID,
    "to_group" TEXT,
    "seconds_in_from" INTEGER,
    "actor_id" UUID DEFAULT suite_actor_id(),
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "stage_changes_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "retired_numbers" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "number" INTEGER NOT NULL,
    "moved_to" UUID,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "retired_numbers_pkey" PRIMARY KEY ("workspace_id","project_id","number")
);

-- CreateIndex
CREATE INDEX "users_workspace_id_kind_name_id_idx" ON "users"("workspace_id", "kind", "name", "id");

-- CreateIndex
CREATE INDEX "users_workspace_id_updated_at_id_idx" ON "users"("workspace_id", "updated_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "users_workspace_id_id_key" ON "users"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "settings_workspace_id_key" ON "settings"("workspace_id");

-- CreateIndex
CREATE UNIQUE INDEX "settings_workspace_id_id_key" ON "settings"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_created_at_id_idx" ON "projects"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "projects_workspace_id_updated_at_id_idx" ON "projects"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "projects_workspace_id_name_id_idx" ON "projects"("workspace_id", "name", "id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_status_name_id_idx" ON "projects"("workspace_id", "status", "name", "id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_customer_id_idx" ON "projects"("workspace_id", "customer_id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_start_date_id_idx" ON "projects"("workspace_id", "start_date", "id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_end_date_id_idx" ON "projects"("workspace_id", "end_date", "id");

-- CreateIndex
CREATE INDEX "projects_workspace_id_progress_id_idx" ON "projects"("workspace_id", "progress", "id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_workspace_id_id_key" ON "projects"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_workspace_id_code_key" ON "projects"("workspace_id", "code");

-- CreateIndex
CREATE UNIQUE INDEX "projects_workspace_id_external_id_key" ON "projects"("workspace_id", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "projects_workspace_id_deal_id_key" ON "projects"("workspace_id", "deal_id");

-- CreateIndex
CREATE INDEX "project_codes_workspace_id_project_id_idx" ON "project_codes"("workspace_id", "project_id");

-- CreateIndex
CREATE INDEX "project_members_workspace_id_user_id_idx" ON "project_members"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_members_workspace_id_id_key" ON "project_members"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "project_members_workspace_id_project_id_user_id_key" ON "project_members"("workspace_id", "project_id", "user_id");

-- CreateIndex
CREATE INDEX "project_clients_workspace_id_user_id_idx" ON "project_clients"("workspace_id", "user_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_clients_workspace_id_id_key" ON "project_clients"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "project_clients_workspace_id_project_id_user_id_key" ON "project_clients"("workspace_id", "project_id", "user_id");

-- CreateIndex
CREATE INDEX "milestones_workspace_id_project_id_end_date_id_idx" ON "milestones"("workspace_id", "project_id", "end_date", "id");

-- CreateIndex
CREATE INDEX "milestones_workspace_id_end_date_id_idx" ON "milestones"("workspace_id", "end_date", "id");

-- CreateIndex
CREATE INDEX "milestones_workspace_id_created_at_id_idx" ON "milestones"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "milestones_workspace_id_id_key" ON "milestones"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "milestones_workspace_id_project_id_id_key" ON "milestones"("workspace_id", "project_id", "id");

-- CreateIndex
CREATE INDEX "stages_workspace_id_project_id_kind_order_idx" ON "stages"("workspace_id", "project_id", "kind", "order");

-- CreateIndex
CREATE UNIQUE INDEX "stages_workspace_id_id_key" ON "stages"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stages_workspace_id_project_id_id_key" ON "stages"("workspace_id", "project_id", "id");

-- CreateIndex
CREATE INDEX "work_items_workspace_id_kind_created_at_id_idx" ON "work_items"("workspace_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "work_items_workspace_id_kind_updated_at_id_idx" ON "work_items"("workspace_id", "kind", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "work_items_workspace_id_kind_due_date_id_idx" ON "work_items"("workspace_id", "kind", "due_date", "id");

-- CreateIndex
CREATE INDEX "work_items_workspace_id_project_id_kind_created_at_id_idx" ON "work_items"("workspace_id", "project_id", "kind", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "work_items_workspace_id_stage_id_rank_idx" ON "work_items"("workspace_id", "stage_id", "rank");

-- CreateIndex
CREATE INDEX "work_items_workspace_id_milestone_id_idx" ON "work_items"("workspace_id", "milestone_id");

-- CreateIndex
CREATE INDEX "work_items_workspace_id_parent_id_idx" ON "work_items"("workspace_id", "parent_id");

-- CreateIndex
CREATE UNIQUE INDEX "work_items_workspace_id_id_key" ON "work_items"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "work_items_workspace_id_project_id_id_key" ON "work_items"("workspace_id", "project_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "work_items_workspace_id_project_id_number_key" ON "work_items"("workspace_id", "project_id", "number");

-- CreateIndex
CREATE UNIQUE INDEX "work_items_workspace_id_kind_external_id_key" ON "work_items"("workspace_id", "kind", "external_id");

-- CreateIndex
CREATE UNIQUE INDEX "work_items_workspace_id_series_id_series_date_key" ON "work_items"("workspace_id", "series_id", "series_date");

-- CreateIndex
CREATE INDEX "assignees_workspace_id_user_id_idx" ON "assignees"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "watchers_workspace_id_user_id_idx" ON "watchers"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "blockers_workspace_id_blocker_id_idx" ON "blockers"("workspace_id", "blocker_id");

-- CreateIndex
CREATE INDEX "subtasks_workspace_id_item_id_position_idx" ON "subtasks"("workspace_id", "item_id", "position");

-- CreateIndex
CREATE UNIQUE INDEX "subtasks_workspace_id_id_key" ON "subtasks"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "comments_workspace_id_item_id_created_at_id_idx" ON "comments"("workspace_id", "item_id", "created_at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "comments_workspace_id_id_key" ON "comments"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "files_workspace_id_project_id_created_at_id_idx" ON "files"("workspace_id", "project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "files_workspace_id_item_id_idx" ON "files"("workspace_id", "item_id");

-- CreateIndex
CREATE INDEX "files_workspace_id_comment_id_idx" ON "files"("workspace_id", "comment_id");

-- CreateIndex
CREATE UNIQUE INDEX "files_workspace_id_id_key" ON "files"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "files_workspace_id_key_key" ON "files"("workspace_id", "key");

-- CreateIndex
CREATE INDEX "activities_workspace_id_project_id_at_id_idx" ON "activities"("workspace_id", "project_id", "at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "activities_workspace_id_object_id_idx" ON "activities"("workspace_id", "object_id");

-- CreateIndex
CREATE UNIQUE INDEX "activities_workspace_id_id_key" ON "activities"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "stage_changes_workspace_id_project_id_at_id_idx" ON "stage_changes"("workspace_id", "project_id", "at", "id");

-- CreateIndex
CREATE INDEX "stage_changes_workspace_id_item_id_at_id_idx" ON "stage_changes"("workspace_id", "item_id", "at", "id");

-- CreateIndex
CREATE UNIQUE INDEX "stage_changes_workspace_id_id_key" ON "stage_changes"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "projects" ADD CONSTRAINT "projects_workspace_id_template_id_fkey" FOREIGN KEY ("workspace_id", "template_id") REFERENCES "projects"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_codes" ADD CONSTRAINT "project_codes_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_members" ADD CONSTRAINT "project_members_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_clients" ADD CONSTRAINT "project_clients_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "project_clients" ADD CONSTRAINT "project_clients_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "milestones" ADD CONSTRAINT "milestones_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stages" ADD CONSTRAINT "stages_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_workspace_id_project_id_stage_id_fkey" FOREIGN KEY ("workspace_id", "project_id", "stage_id") REFERENCES "stages"("workspace_id", "project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_workspace_id_project_id_milestone_id_fkey" FOREIGN KEY ("workspace_id", "project_id", "milestone_id") REFERENCES "milestones"("workspace_id", "project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "work_items" ADD CONSTRAINT "work_items_workspace_id_project_id_parent_id_fkey" FOREIGN KEY ("workspace_id", "project_id", "parent_id") REFERENCES "work_items"("workspace_id", "project_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "assignees" ADD CONSTRAINT "assignees_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "assignees" ADD CONSTRAINT "assignees_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "watchers" ADD CONSTRAINT "watchers_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "watchers" ADD CONSTRAINT "watchers_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "blockers" ADD CONSTRAINT "blockers_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "blockers" ADD CONSTRAINT "blockers_workspace_id_blocker_id_fkey" FOREIGN KEY ("workspace_id", "blocker_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "subtasks" ADD CONSTRAINT "subtasks_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "comments" ADD CONSTRAINT "comments_workspace_id_author_id_fkey" FOREIGN KEY ("workspace_id", "author_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_item_id_fkey" FOREIGN KEY ("workspace_id", "item_id") REFERENCES "work_items"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "files" ADD CONSTRAINT "files_workspace_id_comment_id_fkey" FOREIGN KEY ("workspace_id", "comment_id") REFERENCES "comments"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "activities" ADD CONSTRAINT "activities_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "stage_changes" ADD CONSTRAINT "stage_changes_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "retired_numbers" ADD CONSTRAINT "retired_numbers_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

-- An index for words inside one workspace.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "stages_workspace_id_search_idx" ON "stages" USING gin ("workspace_id", "search");
CREATE INDEX "users_workspace_id_search_idx" ON "users" USING gin ("workspace_id", "search");
CREATE INDEX "projects_workspace_id_search_idx" ON "projects" USING gin ("workspace_id", "search");
CREATE INDEX "milestones_workspace_id_search_idx" ON "milestones" USING gin ("workspace_id", "search");
CREATE INDEX "work_items_workspace_id_search_idx" ON "work_items" USING gin ("workspace_id", "search");
CREATE INDEX "comments_workspace_id_search_idx" ON "comments" USING gin ("workspace_id", "search");

CREATE INDEX "work_items_tags_idx" ON "work_items" USING gin ("workspace_id", "tags");
CREATE INDEX "projects_tags_idx" ON "projects" USING gin ("workspace_id", "tags");

-- A set of stages: the workspace's own (no project) or a project's, of tasks or of bugs.
CREATE UNIQUE INDEX "stages_name_key" ON "stages" ("workspace_id", "project_id", "kind", lower("name")) NULLS NOT DISTINCT;
CREATE UNIQUE INDEX "stages_default_key" ON "stages" ("workspace_id", "project_id", "kind") NULLS NOT DISTINCT WHERE "is_default";
ALTER TABLE "stages" ADD CONSTRAINT "stages_order_key" UNIQUE NULLS NOT DISTINCT ("workspace_id", "project_id", "kind", "order") DEFERRABLE INITIALLY DEFERRED;

ALTER TABLE "users"
  ADD CONSTRAINT "users_kind_check" CHECK ("kind" IN ('owner', 'staff', 'client', 'vendor')),
  ADD CONSTRAINT "users_status_check" CHECK ("status" IN ('invited', 'active', 'disabled', 'former'));
ALTER TABLE "projects"
  ADD CONSTRAINT "projects_code_check" CHECK ("code" ~ '^[A-Z][A-Z0-9]{1,9}$'),
  ADD CONSTRAINT "projects_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "projects_status_check" CHECK ("status" IN ('not_started', 'in_progress', 'on_hold', 'finished', 'cancelled')),
  ADD CONSTRAINT "projects_dates_check" CHECK ("end_date" >= "start_date"),
  ADD CONSTRAINT "projects_budget_check" CHECK ("budget" >= 0),
  ADD CONSTRAINT "projects_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "projects_hourly_rate_check" CHECK ("hourly_rate" >= 0),
  ADD CONSTRAINT "projects_visibility_check" CHECK ("visibility" IN ('members', 'workspace')),
  ADD CONSTRAINT "projects_health_check" CHECK ("health" IN ('on_track', 'at_risk', 'off_track')),
  ADD CONSTRAINT "projects_wip_policy_check" CHECK ("wip_policy" IN ('refuse', 'warn')),
  ADD CONSTRAINT "projects_last_number_check" CHECK ("last_number" >= 0),
  ADD CONSTRAINT "projects_tasks_check" CHECK ("completed_tasks" BETWEEN 0 AND "countable_tasks");
ALTER TABLE "project_members"
  ADD CONSTRAINT "project_members_role_check" CHECK ("role" IN ('manager', 'member', 'viewer')),
  ADD CONSTRAINT "project_members_rates_check" CHECK ("hourly_rate" >= 0 AND "cost_rate" >= 0);
ALTER TABLE "milestones"
  ADD CONSTRAINT "milestones_status_check" CHECK ("status" IN ('incomplete', 'complete')),
  ADD CONSTRAINT "milestones_dates_check" CHECK ("end_date" >= "start_date"),
  ADD CONSTRAINT "milestones_cost_check" CHECK ("cost" >= 0),
  ADD CONSTRAINT "milestones_tasks_check" CHECK ("completed_tasks" BETWEEN 0 AND "countable_tasks");
ALTER TABLE "stages"
  ADD CONSTRAINT "stages_kind_check" CHECK ("kind" IN ('task', 'bug')),
  ADD CONSTRAINT "stages_group_check" CHECK ("group" IN ('backlog', 'unstarted', 'started', 'completed', 'cancelled')),
  ADD CONSTRAINT "stages_default_check" CHECK (NOT "is_default" OR "group" IN ('backlog', 'unstarted')),
  ADD CONSTRAINT "stages_order_check" CHECK ("order" >= 0),
  ADD CONSTRAINT "stages_wip_limit_check" CHECK ("wip_limit" BETWEEN 1 AND 999);
ALTER TABLE "work_items"
  ADD CONSTRAINT "work_items_kind_check" CHECK ("kind" IN ('task', 'bug')),
  ADD CONSTRAINT "work_items_title_check" CHECK ("title" <> ''),
  ADD CONSTRAINT "work_items_priority_check" CHECK ("priority" IN ('low', 'medium', 'high', 'urgent')),
  ADD CONSTRAINT "work_items_group_check" CHECK ("group" IN ('backlog', 'unstarted', 'started', 'completed', 'cancelled')),
  ADD CONSTRAINT "work_items_completed_check" CHECK (("group" = 'completed') = ("completed_at" IS NOT NULL)),
  ADD CONSTRAINT "work_items_dates_check" CHECK ("due_date" >= "start_date"),
  ADD CONSTRAINT "work_items_estimate_check" CHECK ("estimate_minutes" BETWEEN 0 AND 600000),
  ADD CONSTRAINT "work_items_tracked_check" CHECK ("tracked_seconds" >= 0),
  ADD CONSTRAINT "work_items_parent_check" CHECK ("parent_id" <> "id"),
  ADD CONSTRAINT "work_items_severity_check" CHECK (("kind" = 'bug') = ("severity" IS NOT NULL)
    AND "severity" IN ('minor', 'major', 'critical', 'blocker')),
  ADD CONSTRAINT "work_items_resolution_check" CHECK ("resolution" IN ('fixed', 'wont_fix', 'duplicate', 'cannot_reproduce')),
  ADD CONSTRAINT "work_items_of_bugs_check" CHECK ("kind" = 'bug'
    OR num_nonnulls("severity", "environment", "steps", "resolution", "duplicate_of", "reporter_id") = 0);
ALTER TABLE "blockers" ADD CONSTRAINT "blockers_self_check" CHECK ("item_id" <> "blocker_id");
ALTER TABLE "comments"
  ADD CONSTRAINT "comments_visibility_check" CHECK ("visibility" IN ('team', 'client')),
  ADD CONSTRAINT "comments_deleted_check" CHECK (("deleted_at" IS NULL) = ("body" IS NOT NULL));
ALTER TABLE "files" ADD CONSTRAINT "files_size_check" CHECK ("size" > 0);


-- Workspace, audit and version
SELECT suite_record(record::regclass) FROM unnest(ARRAY[
  'settings', 'projects', 'milestones', 'stages', 'work_items', 'subtasks', 'comments', 'files'
]) AS record;
SELECT suite_member(member::regclass) FROM unnest(ARRAY[
  'project_codes', 'project_members', 'project_clients', 'assignees', 'watchers', 'blockers', 'retired_numbers'
]) AS member;
-- Copies of another service's records and logs of our own: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['users', 'discarded_files', 'activities', 'stage_changes']) AS plain;
SELECT suite_append_only(written_once::regclass) FROM unnest(ARRAY['activities', 'stage_changes']) AS written_once;
