-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "absences_through" DATE;

-- A list whose rows have names is searched by them.
ALTER TABLE "attendance_devices" ADD COLUMN "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', "name")) STORED;
CREATE INDEX "attendance_devices_workspace_id_search_idx" ON "attendance_devices" USING gin ("workspace_id", "search");
