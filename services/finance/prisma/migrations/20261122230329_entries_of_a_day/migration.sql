-- Each line of an entry is checked against it by workspace, id, number of lines and day. The index over the days alone serves
-- that check as well in the planner's eyes, and walked through all entries of the day; with the id it finds the one.

-- DropIndex
DROP INDEX "journal_entries_workspace_id_date_idx";

-- CreateIndex
CREATE INDEX "journal_entries_workspace_id_date_id_idx" ON "journal_entries"("workspace_id", "date", "id");
