-- The ids of a deep page come from the index alone, also of those that are filtered by `active`: rows that are skipped are not read.
DROP INDEX "customers_workspace_id_created_at_id_idx";
CREATE INDEX "customers_workspace_id_created_at_id_idx" ON "customers" ("workspace_id", "created_at" DESC, "id" DESC) INCLUDE ("active");
DROP INDEX "vendors_workspace_id_created_at_id_idx";
CREATE INDEX "vendors_workspace_id_created_at_id_idx" ON "vendors" ("workspace_id", "created_at" DESC, "id" DESC) INCLUDE ("active");
