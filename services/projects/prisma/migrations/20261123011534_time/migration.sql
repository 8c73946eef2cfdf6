-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "auto_stop_hours" INTEGER NOT NULL DEFAULT 10,
ADD COLUMN     "cost_rate" DECIMAL(19,4),
ADD COLUMN     "grace_days" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "hourly_rate" DECIMAL(19,4),
ADD COLUMN     "late_time" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "lock_period" TEXT NOT NULL DEFAULT 'none',
ADD COLUMN     "locked_through" DATE,
ADD COLUMN     "max_offline_days" INTEGER NOT NULL DEFAULT 14,
ADD COLUMN     "min_seconds" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "on_second_start" TEXT NOT NULL DEFAULT 'stop',
ADD COLUMN     "rounding" JSONB,
ADD COLUMN     "self_approval" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "time_entries" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "task_id" UUID,
    "started_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "timezone" TEXT NOT NULL,
    "local_date" DATE NOT NULL,
    "breaks" JSONB NOT NULL DEFAULT '[]',
    "idle_seconds" INTEGER NOT NULL DEFAULT 0,
    "idle_discarded" BOOLEAN NOT NULL DEFAULT false,
    "duration_seconds" INTEGER,
    "rounded_seconds" INTEGER,
    "description" TEXT,
    "billable" BOOLEAN NOT NULL,
    "own_rate" DECIMAL(19,4),
    "hourly_rate" DECIMAL(19,4),
    "cost_rate" DECIMAL(19,4),
    "amount" DECIMAL(19,4),
    "currency" CHAR(3) NOT NULL,
    "source" TEXT NOT NULL DEFAULT 'api',
    "status" TEXT NOT NULL DEFAULT 'running',
    "auto_stopped" BOOLEAN NOT NULL DEFAULT false,
    "mail_due" BOOLEAN NOT NULL DEFAULT false,
    "skew_seconds" INTEGER,
    "offline_id" TEXT,
    "offline_hash" TEXT,
    "reject_reason" TEXT,
    "approved_by" UUID,
    "approved_at" TIMESTAMPTZ(3),
    "billing_run_id" UUID,
    "invoice_id" UUID,
    "invoiced_amount" DECIMAL(19,4),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "time_entries_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "time_rates" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "user_id" UUID NOT NULL,
    "hourly_rate" DECIMAL(19,4),
    "cost_rate" DECIMAL(19,4),

    CONSTRAINT "time_rates_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_runs" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "customer_id" UUID NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'claimed',
    "lines" JSONB NOT NULL,
    "sales_invoice_id" UUID,
    "seconds" INTEGER NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "billing_runs_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "billing_attempts" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "billing_run_id" UUID NOT NULL,
    "attempt" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "asked_by" UUID NOT NULL,
    "since" TIMESTAMPTZ(3) NOT NULL,
    "claimed_until" TIMESTAMPTZ(3),

    CONSTRAINT "billing_attempts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_started_at_id_idx" ON "time_entries"("workspace_id", "started_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_created_at_id_idx" ON "time_entries"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_updated_at_id_idx" ON "time_entries"("workspace_id", "updated_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_user_id_started_at_id_idx" ON "time_entries"("workspace_id", "user_id", "started_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_project_id_local_date_id_idx" ON "time_entries"("workspace_id", "project_id", "local_date", "id");

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_user_id_local_date_id_idx" ON "time_entries"("workspace_id", "user_id", "local_date", "id");

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_task_id_idx" ON "time_entries"("workspace_id", "task_id");

-- CreateIndex
CREATE INDEX "time_entries_workspace_id_billing_run_id_idx" ON "time_entries"("workspace_id", "billing_run_id");

-- CreateIndex
CREATE UNIQUE INDEX "time_entries_workspace_id_id_key" ON "time_entries"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "time_entries_workspace_id_user_id_offline_id_key" ON "time_entries"("workspace_id", "user_id", "offline_id");

-- CreateIndex
CREATE UNIQUE INDEX "time_rates_workspace_id_id_key" ON "time_rates"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "time_rates_workspace_id_user_id_key" ON "time_rates"("workspace_id", "user_id");

-- CreateIndex
CREATE INDEX "billing_runs_workspace_id_project_id_created_at_id_idx" ON "billing_runs"("workspace_id", "project_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "billing_runs_workspace_id_sales_invoice_id_idx" ON "billing_runs"("workspace_id", "sales_invoice_id");

-- CreateIndex
CREATE UNIQUE INDEX "billing_runs_workspace_id_id_key" ON "billing_runs"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "billing_attempts_workspace_id_id_key" ON "billing_attempts"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "billing_attempts_workspace_id_billing_run_id_attempt_key" ON "billing_attempts"("workspace_id", "billing_run_id", "attempt");

-- AddForeignKey
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_workspace_id_project_id_task_id_fkey" FOREIGN KEY ("workspace_id", "project_id", "task_id") REFERENCES "work_items"("workspace_id", "project_id", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_workspace_id_billing_run_id_fkey" FOREIGN KEY ("workspace_id", "billing_run_id") REFERENCES "billing_runs"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "time_rates" ADD CONSTRAINT "time_rates_workspace_id_user_id_fkey" FOREIGN KEY ("workspace_id", "user_id") REFERENCES "users"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "billing_runs" ADD CONSTRAINT "billing_runs_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE NO ACTION ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "billing_attempts" ADD CONSTRAINT "billing_attempts_workspace_id_billing_run_id_fkey" FOREIGN KEY ("workspace_id", "billing_run_id") REFERENCES "billing_runs"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

-- People, tasks and ranges of time in one index.
CREATE EXTENSION IF NOT EXISTS btree_gist;
ALTER TABLE "time_entries" ADD CONSTRAINT "time_entries_overlap" EXCLUDE USING gist (
  "workspace_id" WITH =, "user_id" WITH =, tstzrange("started_at", "ended_at", '[)') WITH &&);
CREATE UNIQUE INDEX "time_entries_running_key" ON "time_entries" ("workspace_id", "user_id") WHERE "status" = 'running';
CREATE INDEX "time_entries_running_idx" ON "time_entries" ("workspace_id", "started_at") WHERE "status" = 'running';
CREATE INDEX "time_entries_mail_idx" ON "time_entries" ("workspace_id", "ended_at") WHERE "mail_due";
-- What of a project can be billed.
CREATE INDEX "time_entries_billable_idx" ON "time_entries" ("workspace_id", "project_id", "local_date")
  WHERE "status" = 'approved' AND "billable" AND "billing_run_id" IS NULL;
CREATE UNIQUE INDEX "billing_attempts_open_key" ON "billing_attempts" ("workspace_id", "billing_run_id") WHERE "state" <> 'deleted';
CREATE INDEX "billing_attempts_open_idx" ON "billing_attempts" ("workspace_id", "since") WHERE "state" IN ('requested', 'deleting');

-- Those who manage a project see the time of all of it.
ALTER TABLE "project_members" ADD COLUMN "manager_id" UUID GENERATED ALWAYS AS (CASE WHEN "role" = 'manager' THEN "user_id" END) STORED;
CREATE INDEX "project_members_workspace_id_manager_id_idx" ON "project_members" ("workspace_id", "manager_id");

ALTER TABLE "settings"
  ADD CONSTRAINT "settings_on_second_start_check" CHECK ("on_second_start" IN ('stop', 'refuse')),
  ADD CONSTRAINT "settings_lock_period_check" CHECK ("lock_period" IN ('none', 'week', 'month')),
  ADD CONSTRAINT "settings_hours_check" CHECK ("auto_stop_hours" BETWEEN 1 AND 24 AND "max_offline_days" BETWEEN 0 AND 366),
  ADD CONSTRAINT "settings_seconds_check" CHECK ("min_seconds" BETWEEN 0 AND 3600 AND "grace_days" BETWEEN 0 AND 366),
  ADD CONSTRAINT "settings_rates_check" CHECK ("hourly_rate" >= 0 AND "cost_rate" >= 0);
ALTER TABLE "time_entries"
  ADD CONSTRAINT "time_entries_status_check"
    CHECK ("status" IN ('running', 'stopped', 'submitted', 'approved', 'rejected', 'invoiced')),
  ADD CONSTRAINT "time_entries_ended_check" CHECK (("status" = 'running') = ("ended_at" IS NULL)
    AND ("ended_at" IS NULL) = ("duration_seconds" IS NULL) AND ("ended_at" IS NULL) = ("rounded_seconds" IS NULL)
    AND ("ended_at" IS NULL) = ("hourly_rate" IS NULL) AND ("ended_at" IS NULL) = ("amount" IS NULL)),
  ADD CONSTRAINT "time_entries_span_check" CHECK ("ended_at" > "started_at" AND "ended_at" <= "started_at" + interval '24 hours'),
  ADD CONSTRAINT "time_entries_seconds_check" CHECK ("duration_seconds" >= 0 AND "rounded_seconds" >= 0 AND "idle_seconds" >= 0),
  ADD CONSTRAINT "time_entries_source_check" CHECK ("source" IN ('desktop', 'web', 'api')),
  ADD CONSTRAINT "time_entries_approved_check" CHECK (("status" IN ('approved', 'invoiced')) = ("approved_at" IS NOT NULL)),
  ADD CONSTRAINT "time_entries_invoiced_check" CHECK (("status" = 'invoiced') = ("invoice_id" IS NOT NULL)
    AND ("status" = 'invoiced') = ("invoiced_amount" IS NOT NULL)),
  ADD CONSTRAINT "time_entries_claimed_check" CHECK ("billing_run_id" IS NULL OR "status" IN ('approved', 'invoiced'));
ALTER TABLE "time_rates" ADD CONSTRAINT "time_rates_check" CHECK ("hourly_rate" >= 0 AND "cost_rate" >= 0);
ALTER TABLE "billing_runs" ADD CONSTRAINT "billing_runs_status_check" CHECK ("status" IN ('claimed', 'invoiced', 'released'));
ALTER TABLE "billing_attempts"
  ADD CONSTRAINT "billing_attempts_state_check" CHECK ("state" IN ('requested', 'invoiced', 'deleting', 'deleted')),
  ADD CONSTRAINT "billing_attempts_attempt_check" CHECK ("attempt" >= 1);

-- Workspace, audit and version
SELECT suite_record('time_entries'), suite_member('time_rates'), suite_record('billing_runs'), suite_member('billing_attempts');
