-- Lists of some of these rows, sorted by this column, would read the rows of the whole workspace by it.

-- DropIndex
DROP INDEX "users_workspace_id_name_id_idx";
