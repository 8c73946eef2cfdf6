-- A sign-in looks for accounts of all workspaces by their address: a hash finds one, and serves no order of a list.
-- DropIndex
DROP INDEX "users_email_idx";

-- CreateIndex
CREATE INDEX "users_email_idx" ON "users" USING HASH ("email");

-- A word is looked for among the people of one workspace.
CREATE EXTENSION IF NOT EXISTS btree_gin;
CREATE INDEX "users_workspace_id_search_idx" ON "users" USING gin ("workspace_id", "search");
