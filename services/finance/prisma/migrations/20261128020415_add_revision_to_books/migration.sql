-- The base currency and the fiscal year can change, and platform copies them by their revision. The time zone is a copy of
-- the workspace's. Books that exist were completed by the event of their workspace.
ALTER TABLE "books"
  ADD COLUMN "revision" INTEGER NOT NULL DEFAULT 1,
  ADD COLUMN "workspace_version" INTEGER NOT NULL DEFAULT 1;
ALTER TABLE "books" ALTER COLUMN "workspace_version" SET DEFAULT 0;
