-- Lists of some of these rows, sorted by this column, would read the rows of the whole workspace by it.

-- DropIndex
DROP INDEX "stock_levels_workspace_id_value_id_idx";
