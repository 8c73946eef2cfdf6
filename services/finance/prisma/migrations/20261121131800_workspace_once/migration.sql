-- Reports read a million lines at once. In a subquery the workspace is looked up once for a statement, and not for each line.
ALTER POLICY "suite_workspace" ON "journal_lines" USING ("workspace_id" = (SELECT current_setting('suite.workspace_id')::uuid));
