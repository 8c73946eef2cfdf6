-- DropIndex
DROP INDEX "task_reminders_workspace_id_task_id_remind_at_key";

-- CreateIndex
CREATE UNIQUE INDEX "task_reminders_workspace_id_task_id_remind_at_user_id_key" ON "task_reminders"("workspace_id", "task_id", "remind_at", "user_id");
