-- The tasks and files of a lead or deal are searched by their name. A record has few of them: no index of its own.

-- AlterTable
ALTER TABLE "tasks" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;

-- AlterTable
ALTER TABLE "files" ADD COLUMN     "search" tsvector GENERATED ALWAYS AS (to_tsvector('simple', coalesce("name", ''))) STORED;
