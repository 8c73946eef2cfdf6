-- CreateTable
CREATE TABLE "scope_changes" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "scope" INTEGER NOT NULL,
    "completed" INTEGER NOT NULL,

    CONSTRAINT "scope_changes_pkey" PRIMARY KEY ("workspace_id","project_id","at")
);

-- CreateTable
CREATE TABLE "member_time" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "tracked_seconds" BIGINT NOT NULL DEFAULT 0,
    "billable_seconds" BIGINT NOT NULL DEFAULT 0,
    "cost_seconds" DECIMAL(30,4) NOT NULL DEFAULT 0,

    CONSTRAINT "member_time_pkey" PRIMARY KEY ("workspace_id","project_id","user_id")
);

-- CreateTable
CREATE TABLE "project_expenses" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "project_id" UUID NOT NULL,
    "date" DATE NOT NULL,
    "net" DECIMAL(19,4) NOT NULL,
    "currency" CHAR(3) NOT NULL,
    "rate" DECIMAL(20,10) NOT NULL,
    "base_net" DECIMAL(19,4) NOT NULL,
    "base_currency" CHAR(3) NOT NULL,
    "reversed" BOOLEAN NOT NULL DEFAULT false,

    CONSTRAINT "project_expenses_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "project_expenses_workspace_id_project_id_idx" ON "project_expenses"("workspace_id", "project_id");

-- CreateIndex
CREATE UNIQUE INDEX "project_expenses_workspace_id_id_key" ON "project_expenses"("workspace_id", "id");

-- AddForeignKey
ALTER TABLE "scope_changes" ADD CONSTRAINT "scope_changes_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- AddForeignKey
ALTER TABLE "member_time" ADD CONSTRAINT "member_time_workspace_id_project_id_fkey" FOREIGN KEY ("workspace_id", "project_id") REFERENCES "projects"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

-- Late tasks of a project, the oldest first; those that took longer than estimated, the worst first.
CREATE INDEX "work_items_late_idx" ON "work_items" ("workspace_id", "project_id", "due_date", "id")
  WHERE "kind" = 'task' AND "group" NOT IN ('completed', 'cancelled') AND "due_date" IS NOT NULL;
CREATE INDEX "work_items_over_idx" ON "work_items" ("workspace_id", "project_id", ("tracked_seconds" - "estimate_minutes" * 60) DESC, "id")
  WHERE "kind" = 'task' AND "tracked_seconds" > "estimate_minutes" * 60;

ALTER TABLE "member_time"
  ADD CONSTRAINT "member_time_check" CHECK ("tracked_seconds" >= 0 AND "billable_seconds" BETWEEN 0 AND "tracked_seconds" AND "cost_seconds" >= 0);
ALTER TABLE "project_expenses"
  ADD CONSTRAINT "project_expenses_currency_check" CHECK ("currency" ~ '^[A-Z]{3}$' AND "base_currency" ~ '^[A-Z]{3}$'),
  ADD CONSTRAINT "project_expenses_rate_check" CHECK ("rate" > 0);

-- Sums, and copies of another service's records: confined, and not audited a second time.
SELECT suite_confine(plain::regclass) FROM unnest(ARRAY['scope_changes', 'member_time', 'project_expenses']) AS plain;

-- The sums of what is there. Triggers keep them from now on.
INSERT INTO member_time (workspace_id, project_id, user_id, tracked_seconds, billable_seconds, cost_seconds)
SELECT workspace_id, project_id, user_id, sum(duration_seconds), coalesce(sum(duration_seconds) FILTER (WHERE billable), 0),
  sum(duration_seconds * coalesce(cost_rate, 0))
FROM time_entries WHERE duration_seconds IS NOT NULL GROUP BY 1, 2, 3;

-- A step whose stage and whose card are both gone is taken for that of a task.
INSERT INTO scope_changes (workspace_id, project_id, at, scope, completed)
SELECT step.workspace_id, step.project_id, date_bin('15 minutes', step.at, 'epoch'::timestamptz), sum(delta.scope), sum(delta.completed)
FROM stage_changes AS step
LEFT JOIN stages ON stages.workspace_id = step.workspace_id AND stages.id = coalesce(step.to_stage_id, step.from_stage_id)
LEFT JOIN work_items AS card ON card.workspace_id = step.workspace_id AND card.id = step.item_id
CROSS JOIN LATERAL (SELECT
  coalesce(step.to_group <> 'cancelled', FALSE)::int - coalesce(step.from_group <> 'cancelled', FALSE)::int AS scope,
  coalesce(step.to_group = 'completed', FALSE)::int - coalesce(step.from_group = 'completed', FALSE)::int AS completed
) AS delta
WHERE coalesce(stages.kind, card.kind, 'task') = 'task' AND (delta.scope <> 0 OR delta.completed <> 0)
GROUP BY 1, 2, 3;
