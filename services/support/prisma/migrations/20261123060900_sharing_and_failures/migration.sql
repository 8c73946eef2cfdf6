-- Clients of one customer see each other's tickets, where the workspace says so.
ALTER TABLE "tickets" ADD COLUMN "shared_customer_id" UUID
  GENERATED ALWAYS AS (CASE WHEN "deleted_at" IS NULL THEN "customer_id" END) STORED;

-- CreateIndex
CREATE INDEX "tickets_workspace_id_shared_customer_id_created_at_id_idx" ON "tickets"("workspace_id", "shared_customer_id", "created_at" DESC, "id" DESC);

-- An assignee is told of mail that could not be delivered. Which kinds there are, the code says.
ALTER TABLE "mails" DROP CONSTRAINT "mails_kind_check",
  ADD CONSTRAINT "mails_kind_check" CHECK ("kind" ~ '^[a-z_]+$');
