-- What Prisma cannot say. What is due next is counted, too: from this index alone, without a look at each ticket.
DROP INDEX "tickets_workspace_id_next_due_at_id_idx";
CREATE INDEX "tickets_workspace_id_next_due_at_id_idx" ON "tickets" ("workspace_id", "next_due_at", "id")
  INCLUDE ("deleted_at", "requester_user_id");
