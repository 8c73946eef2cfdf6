-- The name of a column with a duration contains its unit.
ALTER TABLE "calls" RENAME COLUMN "duration" TO "duration_seconds";
ALTER TABLE "calls" RENAME CONSTRAINT "calls_duration_check" TO "calls_duration_seconds_check";
