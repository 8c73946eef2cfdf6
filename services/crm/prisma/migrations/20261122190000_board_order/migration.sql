-- The place of a lead in its column is counted in the index alone: the id decides between equal ranks.
DROP INDEX "leads_board_idx";
CREATE INDEX "leads_board_idx" ON "leads" ("workspace_id", "stage_id", "rank", "id") INCLUDE ("expected_value") WHERE "status" <> 'converted';
