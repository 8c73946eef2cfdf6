-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "workspace_version" INTEGER NOT NULL DEFAULT 0;
