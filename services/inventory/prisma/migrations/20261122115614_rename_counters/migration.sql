-- Every service counts in a table of this name (packages/numbering). Rights and policies stay with the table.
ALTER TABLE "counters" RENAME TO "number_counters";
ALTER TABLE "number_counters" RENAME CONSTRAINT "counters_pkey" TO "number_counters_pkey";
ALTER TABLE "number_counters" RENAME CONSTRAINT "counters_last_check" TO "number_counters_last_check";
