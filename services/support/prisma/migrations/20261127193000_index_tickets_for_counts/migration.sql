-- Lists of tickets count their rows from this index alone. Without the index, each count reads all tickets of the workspace with
-- their descriptions.
CREATE INDEX "tickets_counts_idx" ON "tickets" ("workspace_id", "status")
  INCLUDE ("requester_user_id", "type", "priority", "next_due_at", "next_warning_at", "breached_at") WHERE "deleted_at" IS NULL;
