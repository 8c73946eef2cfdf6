-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "breached_at" TIMESTAMPTZ(3),
ADD COLUMN     "first_responded_at" TIMESTAMPTZ(3),
ADD COLUMN     "first_response_due" TIMESTAMPTZ(3),
ADD COLUMN     "first_response_kept" BOOLEAN,
ADD COLUMN     "first_response_seconds" INTEGER,
ADD COLUMN     "next_due_at" TIMESTAMPTZ(3),
ADD COLUMN     "next_warning_at" TIMESTAMPTZ(3),
ADD COLUMN     "paused_seconds" INTEGER NOT NULL DEFAULT 0,
ADD COLUMN     "resolution_due" TIMESTAMPTZ(3),
ADD COLUMN     "resolution_kept" BOOLEAN,
ADD COLUMN     "resolution_seconds" INTEGER,
ADD COLUMN     "terms_id" UUID;

-- CreateTable
CREATE TABLE "sla_terms" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "policy_id" UUID NOT NULL,
    "policy_version" INTEGER NOT NULL,
    "calendar_version" INTEGER NOT NULL,
    "name" TEXT NOT NULL,
    "targets" JSONB NOT NULL,
    "pause_in" TEXT[],
    "warn_percent" SMALLINT NOT NULL,
    "timezone" TEXT NOT NULL,
    "hours" JSONB NOT NULL,
    "holidays" JSONB NOT NULL,
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "sla_terms_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "ticket_clocks" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "ticket_id" UUID NOT NULL,
    "target" TEXT NOT NULL,
    "run" INTEGER NOT NULL,
    "terms_id" UUID,
    "length_seconds" INTEGER,
    "met_at" TIMESTAMPTZ(3),
    "breached_at" TIMESTAMPTZ(3),
    "ended" BOOLEAN NOT NULL DEFAULT false,
    "next_moment" TIMESTAMPTZ(3),
    "warned_at" TIMESTAMPTZ(3),
    "told_at" TIMESTAMPTZ(3),

    CONSTRAINT "ticket_clocks_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "clock_intervals" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "clock_id" UUID NOT NULL,
    "position" INTEGER NOT NULL,
    "state" TEXT NOT NULL,
    "began_at" TIMESTAMPTZ(3) NOT NULL,
    "ended_at" TIMESTAMPTZ(3),
    "worked_ms" BIGINT NOT NULL DEFAULT 0,
    "terms_id" UUID,

    CONSTRAINT "clock_intervals_pkey" PRIMARY KEY ("workspace_id","clock_id","position")
);

-- CreateTable
CREATE TABLE "ticket_dues" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "kind" TEXT NOT NULL,
    "user_id" UUID NOT NULL,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "tickets" INTEGER NOT NULL,

    CONSTRAINT "ticket_dues_pkey" PRIMARY KEY ("workspace_id","kind","user_id","slot")
);

-- CreateTable
CREATE TABLE "response_times" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "target" TEXT NOT NULL,
    "slot" TIMESTAMPTZ(3) NOT NULL,
    "bucket" SMALLINT NOT NULL,
    "tickets" INTEGER NOT NULL,
    "kept" INTEGER NOT NULL,
    "seconds" BIGINT NOT NULL,

    CONSTRAINT "response_times_pkey" PRIMARY KEY ("workspace_id","target","slot","bucket")
);

-- CreateIndex
CREATE UNIQUE INDEX "sla_terms_workspace_id_id_key" ON "sla_terms"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "sla_terms_workspace_id_policy_id_policy_version_calendar_ve_key" ON "sla_terms"("workspace_id", "policy_id", "policy_version", "calendar_version");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_clocks_workspace_id_id_key" ON "ticket_clocks"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "ticket_clocks_workspace_id_ticket_id_target_run_key" ON "ticket_clocks"("workspace_id", "ticket_id", "target", "run");

-- CreateIndex
CREATE INDEX "tickets_workspace_id_next_due_at_id_idx" ON "tickets"("workspace_id", "next_due_at", "id");

-- AddForeignKey
ALTER TABLE "ticket_clocks" ADD CONSTRAINT "ticket_clocks_workspace_id_ticket_id_fkey" FOREIGN KEY ("workspace_id", "ticket_id") REFERENCES "tickets"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "clock_intervals" ADD CONSTRAINT "clock_intervals_workspace_id_clock_id_fkey" FOREIGN KEY ("workspace_id", "clock_id") REFERENCES "ticket_clocks"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say. Only tickets whose clocks run are due: these indexes are as small as the work that is open.
CREATE INDEX "tickets_next_warning_idx" ON "tickets" ("workspace_id", "next_warning_at") WHERE "next_warning_at" IS NOT NULL;
CREATE INDEX "tickets_first_response_due_idx" ON "tickets" ("workspace_id", "first_response_due") WHERE "first_response_due" IS NOT NULL;
CREATE INDEX "tickets_resolution_due_idx" ON "tickets" ("workspace_id", "resolution_due") WHERE "resolution_due" IS NOT NULL;
CREATE INDEX "tickets_breached_idx" ON "tickets" ("workspace_id", "created_at" DESC, "id" DESC) WHERE "breached_at" IS NOT NULL;
CREATE INDEX "ticket_clocks_next_moment_idx" ON "ticket_clocks" ("workspace_id", "next_moment") WHERE "next_moment" IS NOT NULL;
-- Minutes in which nothing is due any more are not read again.
CREATE INDEX "ticket_dues_slot_idx" ON "ticket_dues" ("workspace_id", "kind", "slot") INCLUDE ("user_id", "tickets") WHERE "tickets" <> 0;

ALTER TABLE "tickets"
  ADD CONSTRAINT "tickets_due_check" CHECK ("next_warning_at" <= "next_due_at"),
  ADD CONSTRAINT "tickets_paused_seconds_check" CHECK ("paused_seconds" >= 0);
ALTER TABLE "sla_terms"
  ADD CONSTRAINT "sla_terms_pause_in_check" CHECK ("pause_in" <@ ARRAY['pending', 'on_hold']),
  ADD CONSTRAINT "sla_terms_warn_percent_check" CHECK ("warn_percent" BETWEEN 1 AND 100);
ALTER TABLE "ticket_clocks"
  ADD CONSTRAINT "ticket_clocks_target_check" CHECK ("target" IN ('first_response', 'resolution', 'next_response')),
  ADD CONSTRAINT "ticket_clocks_run_check" CHECK ("run" >= 1),
  ADD CONSTRAINT "ticket_clocks_terms_check" CHECK (("terms_id" IS NULL) = ("length_seconds" IS NULL)),
  ADD CONSTRAINT "ticket_clocks_ended_check" CHECK (NOT "ended" OR "met_at" IS NULL);
ALTER TABLE "clock_intervals"
  ADD CONSTRAINT "clock_intervals_state_check" CHECK ("state" IN ('running', 'paused')),
  ADD CONSTRAINT "clock_intervals_order_check" CHECK ("began_at" <= "ended_at"),
  ADD CONSTRAINT "clock_intervals_worked_check" CHECK ("worked_ms" >= 0);
-- One interval of a clock lasts.
CREATE UNIQUE INDEX "clock_intervals_lasting_key" ON "clock_intervals" ("workspace_id", "clock_id") WHERE "ended_at" IS NULL;
ALTER TABLE "ticket_dues" ADD CONSTRAINT "ticket_dues_kind_check" CHECK ("kind" IN ('first_response', 'resolution', 'next', 'warning'));
ALTER TABLE "response_times" ADD CONSTRAINT "response_times_target_check" CHECK ("target" IN ('first_response', 'resolution'));
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_check",
  ADD CONSTRAINT "mails_kind_check" CHECK ("kind" IN ('acknowledgement', 'reply', 'survey', 'assignment', 'sla_notice'));

-- Clocks and counters follow the changes of tickets, which are audited: confined, and no matter for the audit log.
SELECT suite_confine(plain::regclass)
FROM unnest(ARRAY['sla_terms', 'ticket_clocks', 'clock_intervals', 'ticket_dues', 'response_times']) AS plain;
