-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "clock_addresses" TEXT[] NOT NULL DEFAULT ARRAY[]::TEXT[],
ADD COLUMN     "geofences" JSONB NOT NULL DEFAULT '[]';

-- CreateTable
CREATE TABLE "attendance_devices" (
    "id" UUID NOT NULL,
    "workspace_id" UUID NOT NULL DEFAULT (current_setting('suite.workspace_id'))::uuid,
    "name" TEXT NOT NULL,
    "timezone" TEXT NOT NULL,
    "active" BOOLEAN NOT NULL DEFAULT true,
    "token_hash" BYTEA NOT NULL,
    "token_hint" TEXT NOT NULL,
    "last_push_at" TIMESTAMPTZ(3),
    "created_by" UUID DEFAULT suite_actor_id(),
    "updated_by" UUID DEFAULT suite_actor_id(),
    "created_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updated_at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "version" INTEGER NOT NULL DEFAULT 1,

    CONSTRAINT "attendance_devices_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "attendance_devices_workspace_id_created_at_id_idx" ON "attendance_devices"("workspace_id", "created_at" DESC, "id" DESC);

-- CreateIndex
CREATE INDEX "attendance_devices_workspace_id_token_hash_idx" ON "attendance_devices"("workspace_id", "token_hash");

-- CreateIndex
CREATE UNIQUE INDEX "attendance_devices_workspace_id_id_key" ON "attendance_devices"("workspace_id", "id");

-- Workspace, audit and version
SELECT suite_record('attendance_devices', 'token_hash');
ALTER TABLE "attendance_devices" ADD CONSTRAINT "attendance_devices_name_check" CHECK ("name" <> '');
CREATE UNIQUE INDEX "attendance_devices_name_key" ON "attendance_devices" ("workspace_id", lower("name"));

