-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "attachments_refused" JSONB NOT NULL DEFAULT '[]';

-- AlterTable
ALTER TABLE "replies" ADD COLUMN     "attachments_refused" JSONB NOT NULL DEFAULT '[]';
