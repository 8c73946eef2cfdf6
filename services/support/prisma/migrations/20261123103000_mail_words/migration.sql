-- AlterTable
ALTER TABLE "tickets" ADD COLUMN     "authenticated" BOOLEAN,
ADD COLUMN     "description_html" TEXT,
ADD COLUMN     "priority_rank" SMALLINT GENERATED ALWAYS AS (
  CASE "priority" WHEN 'low' THEN 1 WHEN 'medium' THEN 2 WHEN 'high' THEN 3 ELSE 4 END) STORED;

-- AlterTable
ALTER TABLE "replies" ADD COLUMN     "html" TEXT,
ADD COLUMN     "authenticated" BOOLEAN;
