-- CreateTable
CREATE TABLE "calendars" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "hours" JSONB NOT NULL,
    "holidays" JSONB NOT NULL DEFAULT '[]',
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "calendars_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "sla_policies" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "position" INTEGER NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "conditions" JSONB NOT NULL DEFAULT '{}',
    "targets" JSONB NOT NULL,
    "calendar_id" UUID NOT NULL,
    "pause_in" TEXT[],
    "warn_percent" SMALLINT NOT NULL DEFAULT 80,
    "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "sla_policies_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "calendars_workspace_id_created_at_id_idx" ON "calendars"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE UNIQUE INDEX "calendars_workspace_id_id_key" ON "calendars"("workspace_id", "id");

-- CreateIndex
CREATE INDEX "sla_policies_workspace_id_position_id_idx" ON "sla_policies"("workspace_id", "position", "id");

-- CreateIndex
CREATE INDEX "sla_policies_workspace_id_calendar_id_idx" ON "sla_policies"("workspace_id", "calendar_id");

-- CreateIndex
CREATE UNIQUE INDEX "sla_policies_workspace_id_id_key" ON "sla_policies"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "sla_policies" ADD CONSTRAINT "sla_policies_workspace_id_calendar_id_fkey" FOREIGN KEY ("workspace_id", "calendar_id") REFERENCES "calendars"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- What Prisma cannot say.
CREATE INDEX "calendars_workspace_id_search_idx" ON "calendars" USING gin ("workspace_id", "search");
CREATE INDEX "sla_policies_workspace_id_search_idx" ON "sla_policies" USING gin ("workspace_id", "search");
CREATE UNIQUE INDEX "calendars_name_key" ON "calendars" ("workspace_id", lower("name"));
CREATE UNIQUE INDEX "sla_policies_name_key" ON "sla_policies" ("workspace_id", lower("name"));
ALTER TABLE "calendars" ADD CONSTRAINT "calendars_name_check" CHECK ("name" <> '');
ALTER TABLE "sla_policies"
  ADD CONSTRAINT "sla_policies_name_check" CHECK ("name" <> ''),
  ADD CONSTRAINT "sla_policies_position_check" CHECK ("position" >= 0),
  ADD CONSTRAINT "sla_policies_pause_in_check" CHECK ("pause_in" <@ ARRAY['pending', 'on_hold']),
  ADD CONSTRAINT "sla_policies_warn_percent_check" CHECK ("warn_percent" BETWEEN 1 AND 100);

-- Workspace, audit and version
SELECT suite_record('calendars');
SELECT suite_record('sla_policies');
