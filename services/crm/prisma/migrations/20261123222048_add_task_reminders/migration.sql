-- CreateTable
CREATE TABLE "task_reminders" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "task_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "remind_at" TIMESTAMPTZ(3) NOT NULL,
    "way" TEXT NOT NULL,
    "delivery" TEXT NOT NULL DEFAULT 'queued',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "next_attempt_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "sent_at" TIMESTAMPTZ(3),
    "failure" TEXT,

    CONSTRAINT "task_reminders_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE UNIQUE INDEX "task_reminders_workspace_id_id_key" ON "task_reminders"("workspace_id", "id");

-- CreateIndex
CREATE UNIQUE INDEX "task_reminders_workspace_id_task_id_remind_at_key" ON "task_reminders"("workspace_id", "task_id", "remind_at");

-- AddForeignKey
ALTER TABLE "task_reminders" ADD CONSTRAINT "task_reminders_workspace_id_task_id_fkey" FOREIGN KEY ("workspace_id", "task_id") REFERENCES "tasks"("workspace_id", "id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What the schedules look for.
CREATE INDEX "task_reminders_due" ON "task_reminders" ("workspace_id", "next_attempt_at") WHERE "delivery" = 'queued';
CREATE INDEX "tasks_to_remind_of" ON "tasks" ("reminder") WHERE "status" = 'todo' AND "reminder" IS NOT NULL;

ALTER TABLE task_reminders
  ADD CONSTRAINT task_reminders_way CHECK (way IN ('sms', 'email')),
  ADD CONSTRAINT task_reminders_delivery CHECK (delivery IN ('queued', 'sent', 'failed', 'dropped'));

SELECT suite_confine('task_reminders');
