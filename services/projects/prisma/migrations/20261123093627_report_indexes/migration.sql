-- CreateTable
CREATE TABLE "assigned_cards" (
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "item_id" UUID NOT NULL,
    "user_id" UUID NOT NULL,
    "project_id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "side" TEXT NOT NULL,
    "due_date" DATE,

    CONSTRAINT "assigned_cards_pkey" PRIMARY KEY ("workspace_id","item_id","user_id")
);

-- CreateIndex
CREATE INDEX "assigned_cards_workspace_id_project_id_kind_user_id_side_du_idx" ON "assigned_cards"("workspace_id", "project_id", "kind", "user_id", "side", "due_date");

-- AddForeignKey
ALTER TABLE "assigned_cards" ADD CONSTRAINT "assigned_cards_workspace_id_item_id_user_id_fkey" FOREIGN KEY ("workspace_id", "item_id", "user_id") REFERENCES "assignees"("workspace_id", "item_id", "user_id") ON DELETE CASCADE ON UPDATE NO ACTION;

-- What Prisma cannot say.

-- The cards of projects by their groups and stages, with what reports add up of them: an index that is read alone.
CREATE INDEX "work_items_figures_idx" ON "work_items" ("workspace_id", "project_id", "kind", "group", "stage_id")
  INCLUDE ("estimate_minutes", "tracked_seconds");
-- What was completed lately.
CREATE INDEX "work_items_completed_idx" ON "work_items" ("workspace_id", "completed_at") INCLUDE ("project_id")
  WHERE "kind" = 'task' AND "completed_at" IS NOT NULL;
-- What somebody has to do, what is due first before the rest.
CREATE INDEX "assigned_cards_open_idx" ON "assigned_cards" ("workspace_id", "user_id", "kind", "due_date", "item_id")
  INCLUDE ("project_id") WHERE "side" = 'open';
-- What the time on a project is worth.
CREATE INDEX "time_entries_worth_idx" ON "time_entries" ("workspace_id", "project_id")
  INCLUDE ("status", "amount", "invoiced_amount") WHERE "billable" AND "status" IN ('stopped', 'submitted', 'approved', 'invoiced');

ALTER TABLE "assigned_cards"
  ADD CONSTRAINT "assigned_cards_kind_check" CHECK ("kind" IN ('task', 'bug')),
  ADD CONSTRAINT "assigned_cards_side_check" CHECK ("side" IN ('open', 'completed', 'cancelled'));

-- Of the assignments, and not audited a second time.
SELECT suite_confine('assigned_cards');

-- What is there. Triggers keep it from now on.
INSERT INTO assigned_cards (workspace_id, item_id, user_id, project_id, kind, side, due_date)
SELECT card.workspace_id, card.id, assignees.user_id, card.project_id, card.kind,
  CASE WHEN card."group" IN ('completed', 'cancelled') THEN card."group" ELSE 'open' END, card.due_date
FROM assignees JOIN work_items AS card ON card.workspace_id = assignees.workspace_id AND card.id = assignees.item_id;
