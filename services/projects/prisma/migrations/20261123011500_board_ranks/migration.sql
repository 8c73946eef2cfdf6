-- New cards lie behind all others, or before them: each rank is given once.
CREATE SEQUENCE "board_rank";
GRANT USAGE ON SEQUENCE "board_rank" TO suite_confined, suite_everywhere;

-- AlterTable
ALTER TABLE "settings" ADD COLUMN     "timezone" TEXT NOT NULL DEFAULT 'UTC';

-- What Prisma cannot say.

CREATE INDEX "work_items_series_idx" ON "work_items" ("workspace_id", "due_date") WHERE "recurrence" IS NOT NULL;

-- The version of a project is about what people change in it: numbers and progress that its tasks change make nobody's sight of
-- it stale.
CREATE OR REPLACE TRIGGER suite_touch BEFORE UPDATE ON "projects" FOR EACH ROW
  WHEN ((OLD.last_number, OLD.countable_tasks, OLD.completed_tasks) IS NOT DISTINCT FROM (NEW.last_number, NEW.countable_tasks, NEW.completed_tasks))
  EXECUTE FUNCTION suite_touch();
CREATE OR REPLACE TRIGGER suite_touch BEFORE UPDATE ON "milestones" FOR EACH ROW
  WHEN ((OLD.countable_tasks, OLD.completed_tasks) IS NOT DISTINCT FROM (NEW.countable_tasks, NEW.completed_tasks))
  EXECUTE FUNCTION suite_touch();
